# Data of forty kinds, as people have them and as nobody should: sourced after _check.sh.
# make_kind NAME: prints the data as CSV. $kinds: all names, $large_kinds: those of more than 200 channels.
kinds="one_channel two_modes_noisy offset offset_driftless ambient2 ambient4 ambient6 driven driven_sine pendulum van_der_pol duffing
constant constant_channel zeros zero_channel white_noise white_noise3 random_walk clipped quantised two_samples three_samples
long_one long_two channels_400 duplicated huge_units tiny_units mixed_units uneven gaps many_nan short_runs growth ramp step beats
chirp square outliers double_poles stiff long_tail delayed_start parametric_swing temperature"
large_kinds="channels_400"

make_kind() {
  awk -v kind="$1" '
    function normal() { return sqrt(-2 * log(1 - rand())) * cos(6.283185307179586 * rand()) }
    function head(n,   i, line) { line = "t"; for (i = 1; i <= n; ++i) line = line ",x" i; print line }
    # A row of x[1..n], noise added.
    function row(t, n, noise,   i, line) {
      line = sprintf("%.10g", t)
      for (i = 1; i <= n; ++i) line = line sprintf(",%.9g", x[i] + (noise > 0 ? noise * normal() : 0))
      print line
    }
    function mode(t, f, zeta) { return exp(-6.2832 * f * zeta * t) * cos(6.2832 * f * sqrt(1 - zeta * zeta) * t) }
    function mode2(t, f, zeta) { return exp(-6.2832 * f * zeta * t) * sin(6.2832 * f * sqrt(1 - zeta * zeta) * t) }
    # Two coupled oscillators, from their normal modes: positions and velocities.
    function coupled(t,   a, b) {
      a = mode(t, 0.159, 0.02); b = mode(t, 0.276, 0.015)
      x[1] = a + b; x[3] = a - b
      a = -mode2(t, 0.159, 0.02); b = -1.732 * mode2(t, 0.276, 0.015)
      x[2] = a + b; x[4] = a - b
    }
    # Oscillators that white noise drives, one for every two channels, mixed.
    function ambient(rows, n, h,   k, j, i, w, force) {
      head(n)
      for (k = 0; k < rows; ++k) {
        for (j = 1; j <= n; j += 2) {
          w = 6.2832 * (1 + 0.35 * j); force = normal() / sqrt(h)
          for (i = 0; i < 4; ++i) { v[j] += h / 4 * (force - w * w * q[j] - 0.04 * w * v[j]); q[j] += h / 4 * v[j] }
        }
        for (i = 1; i <= n; ++i) {
          x[i] = 0
          for (j = 1; j <= n; j += 2) x[i] += cos(i * j) * 6 * q[j] + sin(i + 2 * j) * v[j]
        }
        row(k * h, n, 0.02)
      }
    }
    # q'"'"''"'"' = force(q, v, t) in small steps; two channels.
    function second_order(rows, h, noise,   k, i, s) {
      head(2); q[0] = start; v[0] = 0
      for (k = 0; k < rows; ++k) {
        x[1] = q[0]; x[2] = v[0]; row(k * h, 2, noise)
        for (i = 0; i < 20; ++i) { s = k * h + i * h / 20; v[0] += h / 20 * force(q[0], v[0], s); q[0] += h / 20 * v[0] }
      }
    }
    function force(q, v, t) {
      if (kind == "pendulum") return -sin(q) - 0.05 * v
      if (kind == "van_der_pol") return (1 - q * q) * v - q
      if (kind == "duffing") return -q - q * q * q - 0.1 * v
      if (kind == "driven") return -q - 0.1 * v + (int(t / 3) % 2 ? 1 : -1)
      if (kind == "driven_sine") return -q - 0.1 * v + 0.5 * sin(1.7 * t)
      if (kind == "parametric_swing") return -(1 + 0.4 * cos(2.2 * t)) * q - 0.3 * v
      return 0
    }
    BEGIN {
      srand(11)
      if (kind == "one_channel") { head(1); for (k = 0; k < 1000; ++k) { x[1] = mode(k / 100, 1, 0.01) + mode(k / 100, 2.3, 0.02); row(k / 100, 1, 0.001) } }
      if (kind == "two_modes_noisy") { head(1); for (k = 0; k < 2000; ++k) { x[1] = mode(k / 100, 1, 0.01) + mode(k / 100, 2.3, 0.02); row(k / 100, 1, 0.2) } }
      if (kind == "offset" || kind == "offset_driftless") {
        print kind == "offset" ? "t,q1,v1,q2,v2" : "t,x1,x2,x3,x4"
        for (k = 0; k < 495; ++k) { coupled(k / 10); x[1] += 0.5; x[2] -= 0.3; x[3] += 0.2; x[4] += 0.1; row(k / 10, 4, kind == "offset" ? 0.01 : 0) }
      }
      if (kind == "ambient2") ambient(20000, 2, 0.02)
      if (kind == "ambient4") ambient(20000, 4, 0.02)
      if (kind == "ambient6") ambient(20000, 6, 0.02)
      start = 1
      if (kind == "driven" || kind == "driven_sine" || kind == "parametric_swing") second_order(1000, 0.1, 0.01)
      if (kind == "pendulum") { start = 2.5; second_order(2000, 0.05, 0.01) }
      if (kind == "van_der_pol") { start = 0.1; second_order(1000, 0.1, 0) }
      if (kind == "duffing") { start = 2; second_order(1000, 0.05, 0.01) }
      if (kind == "constant") { head(2); for (k = 0; k < 500; ++k) print k / 10 ",3.5,-2" }
      if (kind == "constant_channel") { head(3); for (k = 0; k < 500; ++k) { x[1] = mode(k / 20, 0.5, 0.02); x[2] = mode2(k / 20, 0.5, 0.02); x[3] = 7; row(k / 20, 3, 0) } }
      if (kind == "zeros") { head(2); for (k = 0; k < 100; ++k) print k / 10 ",0,0" }
      if (kind == "zero_channel") { head(3); for (k = 0; k < 500; ++k) { x[1] = mode(k / 20, 0.5, 0.02); x[2] = mode2(k / 20, 0.5, 0.02); x[3] = 0; row(k / 20, 3, 0) } }
      if (kind == "white_noise") { head(1); for (k = 0; k < 2000; ++k) row(k / 50, 1, 1) }
      if (kind == "white_noise3") { head(3); for (k = 0; k < 3000; ++k) row(k / 50, 3, 1) }
      if (kind == "random_walk") { head(2); for (k = 0; k < 3000; ++k) { x[1] += normal(); x[2] += normal(); row(k / 50, 2, 0) } }
      if (kind == "clipped") { head(2); for (k = 0; k < 1000; ++k) { a = 3 * mode(k / 50, 0.7, 0.01); b = 3 * mode2(k / 50, 0.7, 0.01); x[1] = a > 1 ? 1 : a < -1 ? -1 : a; x[2] = b > 1 ? 1 : b < -1 ? -1 : b; row(k / 50, 2, 0) } }
      if (kind == "quantised") { head(2); for (k = 0; k < 1000; ++k) { x[1] = int(8 * mode(k / 50, 0.7, 0.01) + 100.5) - 100; x[2] = int(8 * mode2(k / 50, 0.7, 0.01) + 100.5) - 100; row(k / 50, 2, 0) } }
      if (kind == "two_samples") { head(2); print "0,1,0\n0.1,0.9,-0.1" }
      if (kind == "three_samples") { head(2); print "0,1,0\n0.1,0.9,-0.1\n0.2,0.7,-0.3" }
      if (kind == "long_one") { head(1); for (k = 0; k < 200000; ++k) { x[1] = mode(k / 1000, 1, 0.001); row(k / 1000, 1, 0.01) } }
      if (kind == "long_two") { head(2); for (k = 0; k < 200000; ++k) { x[1] = mode(k / 1000, 1, 0.001); x[2] = mode2(k / 1000, 1, 0.001); row(k / 1000, 2, 0.01) } }
      if (kind == "channels_400") { head(400); for (k = 0; k < 300; ++k) { for (i = 1; i <= 400; ++i) x[i] = mode(k / 30, 0.3 + i / 200, 0.01) + 0.3 * mode2(k / 30, 0.3 + (i * 7 % 400) / 200, 0.01); row(k / 30, 400, 0.01) } }
      if (kind == "duplicated") { head(3); for (k = 0; k < 500; ++k) { x[1] = mode(k / 20, 0.5, 0.02); x[2] = mode2(k / 20, 0.5, 0.02); x[3] = x[1]; row(k / 20, 3, 0) } }
      if (kind == "huge_units" || kind == "tiny_units") { s = kind == "huge_units" ? 1e30 : 1e-30; head(2); for (k = 0; k < 500; ++k) { x[1] = s * (mode(k / 20, 0.5, 0.02) + 0.01 * normal()); x[2] = s * mode2(k / 20, 0.5, 0.02); row(k / 20 / s, 2, 0) } }
      if (kind == "mixed_units") { head(2); for (k = 0; k < 500; ++k) { x[1] = 1e6 * (mode(k / 20, 0.5, 0.02) + 0.01 * normal()); x[2] = 1e-6 * (mode2(k / 20, 0.5, 0.02) + 0.01 * normal()); row(k / 20, 2, 0) } }
      if (kind == "uneven") { head(2); t = 0; for (k = 0; k < 1500; ++k) { x[1] = mode(t, 0.5, 0.01); x[2] = mode2(t, 0.5, 0.01); row(t, 2, 0.02); t += 0.002 - 0.05 * log(1 - rand()) } }
      if (kind == "gaps") { head(2); for (k = 0; k < 3000; ++k) if (k % 500 < 250) { x[1] = mode(k / 50, 0.5, 0.005); x[2] = mode2(k / 50, 0.5, 0.005); row(k / 50, 2, 0.02) } }
      if (kind == "many_nan") { head(3); for (k = 0; k < 2000; ++k) { line = k / 50; for (i = 1; i <= 3; ++i) line = line "," (rand() < 0.7 ? "nan" : sprintf("%.8g", mode(k / 50, 0.5, 0.005) * i + mode2(k / 50, 0.5, 0.005) / i + 0.05 * normal())); print line } }
      if (kind == "short_runs") { print "trajectory,t,x1,x2"; for (r = 0; r < 400; ++r) { p = 6.28 * rand(); for (k = 0; k < 12; ++k) printf "%d,%g,%.8g,%.8g\n", r, k / 10, cos(p + k / 4) + 0.05 * normal(), sin(p + k / 4) + 0.05 * normal() } }
      if (kind == "growth") { head(2); for (k = 0; k < 500; ++k) { x[1] = mode(k / 20, 0.5, -0.02); x[2] = mode2(k / 20, 0.5, -0.02); row(k / 20, 2, 0.05) } }
      if (kind == "ramp") { head(1); for (k = 0; k < 500; ++k) { x[1] = k / 7; row(k / 20, 1, 0) } }
      if (kind == "step") { head(1); for (k = 0; k < 500; ++k) { x[1] = k < 250 ? 0 : 1; row(k / 20, 1, 0.001) } }
      if (kind == "beats") { head(1); for (k = 0; k < 4000; ++k) { x[1] = cos(6.2832 * k / 100) + cos(6.2832 * 1.03 * k / 100); row(k / 100, 1, 0.01) } }
      if (kind == "chirp") { head(2); for (k = 0; k < 2000; ++k) { t = k / 100; x[1] = cos(6.2832 * t * (0.5 + t / 20)); x[2] = sin(6.2832 * t * (0.5 + t / 20)); row(t, 2, 0.01) } }
      if (kind == "square") { head(1); for (k = 0; k < 1500; ++k) { x[1] = int(k / 60) % 2 ? 1 : -1; row(k / 50, 1, 0.01) } }
      if (kind == "outliers") { head(2); for (k = 0; k < 1000; ++k) { x[1] = mode(k / 50, 0.5, 0.01); x[2] = mode2(k / 50, 0.5, 0.01); if (rand() < 0.1) x[1] += 20 * normal(); row(k / 50, 2, 0.02) } }
      if (kind == "double_poles") { head(2); for (k = 0; k < 1000; ++k) { t = k / 50; x[1] = (1 + 2 * t) * exp(-0.3 * t); x[2] = 2 * exp(-0.3001 * t); row(t, 2, 0.002) } }
      if (kind == "stiff") { head(3); for (k = 0; k < 2000; ++k) { t = k / 100; a = exp(-1000 * t); b = exp(-t); c = exp(-0.001 * t); x[1] = a + b; x[2] = b + c; x[3] = a - c; row(t, 3, 0.001) } }
      if (kind == "long_tail") { head(2); for (k = 0; k < 10000; ++k) { x[1] = mode(k / 50, 0.5, 0.1); x[2] = mode2(k / 50, 0.5, 0.1); row(k / 50, 2, 0.01) } }
      if (kind == "delayed_start") { head(2); for (k = 0; k < 2000; ++k) { t = k / 50 - 20; x[1] = t < 0 ? 0 : mode(t, 0.5, 0.02); x[2] = t < 0 ? 0 : mode2(t, 0.5, 0.02); row(k / 50, 2, 0.01) } }
      if (kind == "temperature") { print "t,T1,T2,T3"; for (k = 0; k < 3000; ++k) { t = k * 60; x[1] = 20 + 5 * exp(-t / 20000) + sin(t / 14000); x[2] = 20 + 4 * exp(-t / 30000) + 0.7 * sin(t / 14000 - 0.5); x[3] = 20 + 0.4 * sin(t / 14000 - 1); row(t, 3, 0.02) } }
    }'
}
