# Sourced by the two commands of the README: one virtual environment for both, made once, renewed when setup.cfg changes.
# CMB_VENV names another place for it; CMB_PYTHON another interpreter (3.11 or newer).

prepare_environment() { # $1: the extras, e.g. "" or "[test]"
    local venv="${CMB_VENV:-.venv}" python="${CMB_PYTHON:-python3}" mark
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
        echo "Python 3.11 or newer is needed; $python is $("$python" --version 2>&1). Set CMB_PYTHON to a newer one." >&2
        exit 1
    }
    mark="$venv/.installed$1-$(cat setup.cfg pyproject.toml | cksum | cut -d' ' -f1)"
    if [ ! -e "$mark" ]; then
        [ -x "$venv/bin/python" ] || "$python" -m venv "$venv"
        echo "Installing into $venv …" >&2
        "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --editable ".$1"
        touch "$mark"
    fi
    PATH="$PWD/$venv/bin:$PATH"
    case "$venv" in /*) PATH="$venv/bin:$PATH" ;; esac
    export PATH
}
