"""A cluster of Apache Spark on loopback: a master and its workers, each in a separate process."""

import os
import re
import signal
import subprocess
import threading
from pathlib import Path

EXAMPLE = str(Path(__file__).resolve().parents[2] / "Examples/Spark/walks.py")


class Node:
    """A master or a worker, with all processes that it starts."""

    def __init__(self, role, *arguments, folder):
        environment = dict(
            os.environ, SPARK_LOCAL_IP="127.0.0.1", SPARK_WORKER_DIR=f"{folder}/work",
            SPARK_NO_DAEMONIZE="1")
        self.process = subprocess.Popen(
            ["spark-class", f"org.apache.spark.deploy.{role}", "--host", "127.0.0.1", "--port", "0",
             "--webui-port", "0", *arguments],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=environment,
            cwd=folder, start_new_session=True)
        self.said = ""
        self.heard = threading.Condition()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for line in self.process.stderr:
            with self.heard:
                self.said += line
                self.heard.notify_all()

    def wait_for(self, pattern):
        """Returns the match in the node's output."""
        with self.heard:
            if not self.heard.wait_for(lambda: re.search(pattern, self.said), timeout=120):
                raise TimeoutError(f"no {pattern} in {self.said}")
            return re.search(pattern, self.said)

    def kill(self):
        """Kills it, as a power failure would."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()


class Cluster:
    def __init__(self, folder, workers=2):
        self.nodes = []
        try:
            self.master = self.start("master.Master", folder=folder)
            self.url = self.master.wait_for(r"Starting Spark master at (spark://\S+)").group(1)
            self.workers = [
                self.start("worker.Worker", "--cores", "1", "--memory", "1g", self.url, folder=folder)
                for _ in range(workers)]
            for worker in self.workers:
                worker.wait_for("Successfully registered with master")
        except BaseException:
            self.stop()
            raise

    def start(self, *arguments, folder):
        node = Node(*arguments, folder=folder)
        self.nodes.append(node)
        return node

    def submit(self, *arguments, folder, settings=()):
        """Starts the example with these arguments; its output goes to the folder."""
        return subprocess.Popen(
            ["spark-submit", "--master", self.url, "--conf", "spark.driver.host=127.0.0.1",
             "--conf", "spark.ui.enabled=false", "--conf", "spark.executor.memory=512m",
             *(part for setting in settings for part in ("--conf", setting)), EXAMPLE, *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder,
            env=dict(os.environ, SPARK_LOCAL_IP="127.0.0.1", FAKETRACK_HOME=f"{folder}/home"))

    def stop(self):
        for node in self.nodes:
            node.kill()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
