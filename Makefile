# A front for CMake, for those who want one command. Packages are installed where they are missing (Debian,
# Ubuntu; PACKAGES=no leaves them alone); everything else happens in the build folders.

PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PACKAGES ?= yes
export JOBS PACKAGES DESTDIR

.PHONY: help petsc scale demo figures test build python python-test bench speed peers peers-page peers-driven docs docs-versions tutorial identification networks varying nonlinear
.PHONY: design records reproduce format format-check install package wheel experiments stress cost clean
.NOTPARALLEL:

help:
	@echo "make demo      build lgn and identify the bundled ring-down: its modes beside the true ones"
	@echo "make figures   draw the pictures of the README again, from the demo and examples/*.sh"
	@echo "make test      every test, again under sanitizers, and a project that uses the installed package"
	@echo "make build     build the program: build/lgn"
	@echo "make experiments"
	@echo "               build what lgn compare and lgn reproduce start: build/lgn-experiments"
	@echo "make petsc     build what lgn fit --engine petsc starts on the ranks of mpirun: build/lgn-petsc"
	@echo "make python    build the Python package lgn and install it for your interpreter (a virtual environment, else yourself)"
	@echo "make python-test"
	@echo "               test it"
	@echo "make bench     measure lgn against SciPy, PyTorch and pandas: build/bench.json; BENCH=\"expm_100 csv_read\" picks"
	@echo "make speed     the same, and write docs/speed.md from it"
	@echo "make scale     measure large networks on one process and on ranks of mpirun: docs/scale.md"
	@echo "make peers     install PyDMD, pysindy, python-control, nfoursid and pyOMA2 from PyPI: build/peers, build/peers-control"
	@echo "make peers-page"
	@echo "               identify the same data with lgn and with these: docs/peers.md"
	@echo "make peers-driven"
	@echo "               the same for records with inputs, beside SLICOT and scipy.optimize too: docs/peers-driven.md"
	@echo "make docs      build the documentation as a site that needs no network: build/docs/site"
	@echo "make docs-versions"
	@echo "               build those of every released version first, so that the site has them all"
	@echo "make tutorial  write code and outputs of the examples into the pages that show them: docs/*.md"
	@echo "make identification"
	@echo "               measure what identification reaches beside what it must: docs/identification.md"
	@echo "make networks  measure how networks are found beside what must hold: docs/networks.md"
	@echo "make varying   measure what is reached where the generator varies in time: docs/varying.md"
	@echo "make nonlinear measure what is reached of nonlinear laws: docs/nonlinear-study.md"
	@echo "make design    measure solvers of designs, and how often robust designs hold: docs/design-study.md"
	@echo "make records   what a fit makes of forty kinds of records, beside what they are: docs/records.md (MEASURED: a folder of measured ones)"
	@echo "make reproduce every table and figure of the paper, with its neural baselines (installs libtorch): docs/reproduction.md"
	@echo "make format    lay out every source with clang-format"
	@echo "make install   install program, library and headers under PREFIX (now $(PREFIX))"
	@echo "make package   a Debian package of all of that: build/packages/lgn_*.deb, for apt install"
	@echo "make wheel     a wheel of the Python package that needs no compiler: build/wheel/lgn-*.whl, for pip install"
	@echo "make stress    every release test three times beside four busy processes: no outcome depends on load"
	@echo "make cost      measure what clean builds and test runs take, into CONTRIBUTING.md (COST=\"program\" picks and prints)"
	@echo "make clean     remove the build folders"

demo: build
	@LGN=build/lgn sh examples/demo.sh

figures: demo
	@LGN=build/lgn sh examples/network.sh
	@cp build/demo/network.svg docs/images/network.svg
	@LGN=build/lgn sh examples/varying.sh
	@build/lgn report build/demo/modulated.json build/demo/modulated.csv --figures build/demo
	@cp build/demo/variation-1.svg docs/images/varying.svg
	@scripts/install-packages browser
	@build/lgn fit examples/air-track/real_linear_h_1.txt --columns trial,t,x,- --states 2 --quiet --figures build/demo/cart
	@cp build/demo/cart/signal-1.svg docs/images/air-track.svg
	@LGN=build/lgn sh examples/gallery.sh
	@for report in build/gallery/*.html; do \
	  scripts/screenshot $$report docs/images/gallery/$$(basename $$report .html).png 660 760; done
	@scripts/screenshot build/demo/report.html docs/images/report.png 1100 1150
	@scripts/screenshot build/demo/report.html docs/images/report-phone.png 390 1150 dark

build:
	@scripts/install-packages core
	@scripts/build release lgn-cli

petsc:
	@scripts/install-packages core petsc
	@scripts/build release lgn-cli lgn-petsc

experiments:
	@scripts/install-packages core experiments
	@scripts/build release lgn-cli lgn-experiments

test:
	@scripts/install-packages core experiments test
	@scripts/install-packages sanitizers || echo "Without the run-time libraries of Clang the sanitizer build takes longer."
	@scripts/install-packages foreign || echo "Without Octave and SciPy exported models are not run."
	@scripts/install-packages petsc || echo "Without PETSc and SLEPc fits on several ranks are left out."
	@scripts/install-packages neural || echo "Without libtorch the neural baselines of the paper are left out."
	@scripts/install-packages browser || echo "Without Chromium the reports are not opened in a browser."
	@scripts/install-packages python python-test || echo "Without NumPy and pybind11 the Python package is left out."
	@scripts/install-packages docs || echo "Without Sphinx and Doxygen the site of the documentation is not built."
	@scripts/test

python:
	@scripts/install-packages core experiments python
	@scripts/python install

python-test:
	@scripts/install-packages core experiments python python-test
	@scripts/python test

docs: experiments
	@scripts/install-packages docs
	@scripts/docs

docs-versions:
	@scripts/docs-versions
	@$(MAKE) docs

# Outputs of Python change with it only where the package has been built.
tutorial: experiments
	@scripts/install-packages test
	@cmake --preset release -DLGN_BUILD_TESTS=ON
	@scripts/build release example-tutorial
	@python=build/python; [ -e $$python/lgn ] || python=; \
	  /usr/bin/python3 docs/site/blocks.py --lgn build/lgn --cpp build/tests/example-tutorial $${python:+--python $$python} \
	  --write README.md docs/*.md

bench:
	@scripts/install-packages core bench python
	@PYTHON=/usr/bin/python3 scripts/python build
	@scripts/build release lgn-cli lgn-bench
	@bench/run $(BENCH)

# The page says what was measured in this run and what was not.
speed: bench
	@bench/page build/bench.json >build/speed.md
	@cp build/bench.json docs/bench.json
	@cp build/speed.md docs/speed.md

scale:
	@scripts/install-packages core petsc
	@scripts/build release lgn-cli lgn-petsc lgn-scale
	@bench/scale/page build >build/scale.md
	@cp build/scale.md docs/scale.md

peers:
	@scripts/install-packages peers
	@scripts/peers || echo "Without them their rows and the test with python-control are left out."

# A page that could not be made whole does not replace the last one.
peers-page:
	@scripts/install-packages core python peers
	@scripts/peers
	@PYTHON=/usr/bin/python3 scripts/python build
	@/usr/bin/python3 bench/peers/identify >build/peers.md
	@cp build/peers.md docs/peers.md

peers-driven:
	@scripts/install-packages core python peers
	@scripts/peers
	@PYTHON=/usr/bin/python3 scripts/python build
	@/usr/bin/python3 bench/peers/driven >build/peers-driven.md
	@cp build/peers-driven.md docs/peers-driven.md

identification:
	@scripts/install-packages core experiments
	@scripts/build release lgn-identification
	@build/lgn-identification >build/identification.md
	@cp build/identification.md docs/identification.md

networks:
	@scripts/install-packages core experiments
	@cmake --preset release -DLGN_BUILD_EXPERIMENTS=ON
	@scripts/build release lgn-networks
	@build/lgn-networks >build/networks.md
	@cp build/networks.md docs/networks.md

design:
	@scripts/install-packages core experiments solvers
	@cmake --preset release -DLGN_BUILD_EXPERIMENTS=ON
	@scripts/build release lgn-design-study
	@build/lgn-design-study >build/design-study.md
	@cp build/design-study.md docs/design-study.md

records:
	@scripts/install-packages core
	@scripts/build release lgn-cli
	@scripts/records build/lgn $(MEASURED) >build/records.md
	@cp build/records.md docs/records.md

varying:
	@scripts/install-packages core experiments
	@cmake --preset release -DLGN_BUILD_EXPERIMENTS=ON
	@scripts/build release lgn-varying
	@build/lgn-varying >build/varying.md
	@cp build/varying.md docs/varying.md

nonlinear:
	@scripts/install-packages core experiments
	@cmake --preset release -DLGN_BUILD_EXPERIMENTS=ON
	@scripts/build release lgn-cli lgn-nonlinear
	@scripts/install-packages peers && scripts/peers || echo "Without pysindy its rows are left out."
	@build/lgn-nonlinear >build/nonlinear-study.md
	@experiments/nonlinear/sindy >>build/nonlinear-study.md
	@cp build/nonlinear-study.md docs/nonlinear-study.md

# Resumes where an earlier one ended; the page is written from the full run only.
reproduce:
	@scripts/install-packages core experiments neural
	@cmake --preset release -DLGN_NEURAL=AUTO
	@scripts/build release lgn-cli lgn-experiments lgn-neural
	@build/lgn reproduce all -o build/reproduction
	@mkdir -p docs/reproduction
	@cp build/reproduction/figures/*.svg docs/reproduction/
	@sed 's|(figures/|(reproduction/|g' build/reproduction/reproduction.md >docs/reproduction.md

format:
	@scripts/install-packages format
	@scripts/format

format-check:
	@scripts/install-packages format
	@scripts/format --check

# After `sudo make install` the build is still the user's own: only the copying needs root.
install:
	@if [ "$$(id -u)" = 0 ] && [ -n "$$SUDO_USER" ]; then \
	  sudo -u "$$SUDO_USER" $(MAKE) experiments JOBS=$(JOBS) PACKAGES=$(PACKAGES); \
	else \
	  $(MAKE) experiments; \
	fi
	@scripts/install "$(PREFIX)"

package: experiments
	@scripts/install-packages package
	@scripts/package build/packages

wheel:
	@scripts/install-packages core experiments python wheel
	@scripts/python build
	@scripts/wheel build/wheel

# As many tests at once as keep their share of a machine that has other things to do.
stress:
	@scripts/install-packages core experiments test stress
	@JOBS= scripts/stress $(RUNS)

cost:
	@scripts/install-packages core experiments test
	@scripts/cost $(COST)

clean:
	rm -rf build build-debug build-sanitize
