"""The action and the workflow are valid, and the steps of the action do what they say."""

import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from ruamel.yaml import YAML

FOLDER = Path(__file__).resolve().parent
WALK = FOLDER.parent.parent / "faketrack.gpx"
FAKETRACK = shutil.which(os.environ.get("FAKETRACK", "faketrack"))


@pytest.mark.parametrize("schema, file", [("github-actions", "action.yml"), ("github-workflows", "workflow.yml")])
def test_the_schema_of_github(schema, file):
    subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", FOLDER / file], check=True)


def run(folder, recording, expect):
    """Runs the steps as a runner does that has faketrack."""
    (folder / "bin").mkdir()
    (folder / "bin/faketrack").symlink_to(FAKETRACK)
    inputs = {"recording": recording, "expect": expect, "report": "location.xml", "version": "latest"}
    for step in YAML(typ="safe").load(FOLDER / "action.yml")["runs"]["steps"]:
        values = {name: value for name, value in step["env"].items() if "inputs." in value}
        variables = {name: inputs[value.split(".")[1].split()[0]] for name, value in values.items()}
        environment = {**os.environ, **variables, "PATH": f"{folder}/bin:{os.environ['PATH']}"}
        result = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]], cwd=folder, env=environment,
            capture_output=True, text=True)
        if result.returncode:
            break
    return result, ElementTree.parse(folder / "location.xml").getroot()


def test_a_recording_that_is_as_expected(tmp_path):
    result, report = run(tmp_path, WALK, f"--matches {WALK},12m\n--enters 52.404,13.026,200m\n")
    assert (result.returncode, len(report.findall(".//testcase")), report.find(".//failure")) == (0, 2, None)


def test_a_recording_that_is_not(tmp_path):
    result, report = run(tmp_path, WALK, "--avoids 52.404,13.026,200m")
    assert (result.returncode, len(report.findall(".//failure"))) == (1, 1)
    assert "avoids" in result.stdout


def test_a_recording_that_is_missing(tmp_path):
    result, report = run(tmp_path, "missing.gpx", "--enters 52.404,13.026,200m")
    assert (result.returncode, len(report.findall(".//error"))) == (2, 1)
