#!/usr/bin/env bash
# Gradescope runs this once, when the autograder's image is built. The archive that is uploaded has this file, run_autograder, rubric.toml
# and the program `grandstand` of a release: nothing is installed, and nothing is fetched.
set -e
chmod +x "${AUTOGRADER_ROOT:-/autograder}/source/grandstand"
