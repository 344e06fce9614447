"""The page under test in Playwright."""

import re

import pytest
from faketrack_pytest import WalkError
from playwright.sync_api import expect


def test_arrival(walk, page, address):
    page.goto(address)
    walk.to("1km")
    expect(page.get_by_role("status")).to_have_text("Away from Sanssouci")
    walk.to("1.9km")
    expect(page.get_by_role("status")).to_have_text("Near Sanssouci")


def test_the_permission_is_taken_away_and_given_back(walk, page, address):
    page.goto(address)
    walk.to("1km")
    walk.deny()
    page.reload()
    expect(page.get_by_role("status")).to_have_text("Location is off")
    walk.allow()
    page.reload()
    expect(page.get_by_role("status")).to_have_text("Away from Sanssouci")


def test_a_jump_to_another_city(walk, page, address):
    page.goto(address)
    walk.teleport("52.4042,13.0385")
    expect(page.get_by_role("status")).to_have_text("Near Sanssouci")
    walk.teleport("52.52,13.405")
    expect(page.get_by_role("status")).to_have_text("Away from Sanssouci")


@pytest.mark.walk("../../faketrack.gpx", "--from", "1.9km", "--noise", "5")
def test_a_page_that_is_opened_after_the_walk_has_begun(walk, page, address):
    walk.advance("30s")
    page.goto(address)
    expect(page.get_by_role("status")).to_have_text("Near Sanssouci")


def test_the_state_tells_what_the_page_took(walk, page, address):
    page.goto(address)
    expect(page.get_by_role("status")).to_have_text("Away from Sanssouci")
    state = walk.advance("60s")
    assert state["elapsed"] == 60
    assert state["targets"][0]["confirmed"] == state["targets"][0]["sent"] == 61


def test_a_command_that_cannot_be_done_says_why(walk):
    walk.to("1km")
    with pytest.raises(WalkError, match=re.escape("the walk is beyond that already, at 1.0 km")):
        walk.to("500m")
