#!/usr/bin/env bash
# The version that is released, once the tag, the packages and the changelog agree on it. TAG is empty in a trial.
set -euo pipefail

version=$(cargo xtask version)
tag=${TAG:-}
if [[ -n $tag ]]; then
  if [[ $tag != "v$version" ]]; then
    echo "the tag is $tag, but the workspace has version $version" >&2
    exit 1
  fi
  if ! grep --quiet --fixed-strings "## [$version]" CHANGELOG.md; then
    echo "CHANGELOG.md has no heading '## [$version]'" >&2
    exit 1
  fi
fi
echo "version=$version" >> "${GITHUB_OUTPUT:-/dev/stdout}"
