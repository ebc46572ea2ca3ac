#!/usr/bin/env bash
# Publishes the tarballs in a folder, those first that others need. NPM_PUBLISH stands in for npm in a trial.
set -euo pipefail

folder=$1
publish=${NPM_PUBLISH:-npm publish --provenance --access public}
shopt -s nullglob

# Compiled parts have a platform in their names; what needs the add-on comes behind it.
compiled=()
rest=()
for tarball in "$folder"/lookback-node-[a-z]*.tgz; do compiled+=("$tarball"); done
for tarball in "$folder"/lookback-node-[0-9]*.tgz "$folder"/pi-lookback-*.tgz "$folder"/pi-harness-plugin-lookback-*.tgz; do
  rest+=("$tarball")
done
if [[ ${#compiled[@]} -eq 0 || ${#rest[@]} -ne 3 ]]; then
  echo "$folder has ${#compiled[@]} compiled parts and ${#rest[@]} of the 3 other packages" >&2
  exit 1
fi
for tarball in "${compiled[@]}" "${rest[@]}"; do
  # A release that stopped half-way is run again: what is there already is passed over.
  package=$(basename "$tarball" .tgz)
  name=${package%-[0-9]*.[0-9]*.[0-9]*}
  if [[ -z ${NPM_PUBLISH:-} ]] && npm view "$name@${package#"$name"-}" version >/dev/null 2>&1; then
    echo "$package is published already"
    continue
  fi
  $publish "$tarball"
done
