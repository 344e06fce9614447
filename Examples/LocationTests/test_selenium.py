"""The page under test in Selenium."""

from selenium.webdriver.common.by import By
from selenium.webdriver.support.expected_conditions import text_to_be_present_in_element
from selenium.webdriver.support.ui import WebDriverWait


def wait_for(driver, text):
    status = (By.CSS_SELECTOR, "[role=status]")
    WebDriverWait(driver, 10, poll_frequency=0.02).until(text_to_be_present_in_element(status, text))


def test_arrival(walk, driver, address):
    driver.get(address)
    walk.to("1km")
    wait_for(driver, "Away from Sanssouci")
    walk.to("1.9km")
    wait_for(driver, "Near Sanssouci")


def test_a_tunnel(walk, driver, address):
    driver.get(address)
    walk.to("1km")
    walk.outage()
    walk.to("1.9km")
    wait_for(driver, "Away from Sanssouci")
    walk.outage("end")
    wait_for(driver, "Near Sanssouci")
