# Sourced by other scripts.

# Installs a Debian package if it is missing. Without apt-get or the permission, it prints what to
# install and continues.
need() {
    local package=$1 there=$2
    if eval "$there" >/dev/null 2>&1; then return; fi
    local sudo=""
    if [ "$(id -u)" != 0 ]; then sudo="sudo -n"; fi
    if command -v apt-get >/dev/null && { $sudo apt-get install -y -qq "$package" ||
        { $sudo apt-get update -qq && $sudo apt-get install -y -qq "$package"; }; } >/dev/null 2>&1; then
        echo "installed $package"
    else
        echo "please install $package: some checks need it"
    fi
}
