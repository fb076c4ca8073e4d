# linear.awk: samples of a linear system that you write down, for trying lgn on a case of your own. Simulated data.
#
#   awk -f examples/linear.awk A="0 1; -4 -0.1" x0="1 0" t1=30 dt=0.1 names="q v" [C="1 0"] [noise=0.01] [offset="20 20"]
#       [vary="2 1 0.3 1.5"] [seed=1] /dev/null
#
# x' = A x from x0, y = C x + offset (C is the identity where it is not given), Gaussian noise of that size in every channel.
# vary="i j d w": entry i, j of A is multiplied by 1 + d cos(w t); several after semicolons. Fourth-order
# Runge-Kutta steps, twenty from sample to sample. The numbers are the same with every awk.
function words(text, into,   n) { gsub(/^ +| +$/, "", text); return split(text, into, / +/) }
function random() { state = (state * 16807) % 2147483647; return state / 2147483647 }
function normal() { return sqrt(-2 * log(random())) * cos(6.283185307179586 * random()) }
function slope(x, t, dx,   i, j, k) {
  for (k = 1; k <= varies; k++) factor[row[k], column[k]] = 1 + depth[k] * cos(pace[k] * t)
  for (i = 1; i <= n; i++) {
    dx[i] = 0
    for (j = 1; j <= n; j++) dx[i] += a[i, j] * ((i, j) in factor ? factor[i, j] : 1) * x[j]
  }
}
function step(t, h,   i) {
  slope(x, t, k1); for (i = 1; i <= n; i++) y[i] = x[i] + h / 2 * k1[i]
  slope(y, t + h / 2, k2); for (i = 1; i <= n; i++) y[i] = x[i] + h / 2 * k2[i]
  slope(y, t + h / 2, k3); for (i = 1; i <= n; i++) y[i] = x[i] + h * k3[i]
  slope(y, t + h, k4); for (i = 1; i <= n; i++) x[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i])
}
END {
  n = split(A, rows, ";")
  for (i = 1; i <= n; i++) { words(rows[i], entry); for (j = 1; j <= n; j++) a[i, j] = entry[j] }
  m = C == "" ? n : split(C, rows, ";")
  for (i = 1; i <= m; i++) {
    if (C != "") words(rows[i], entry)
    for (j = 1; j <= n; j++) c[i, j] = C == "" ? i == j : entry[j]
  }
  varies = split(vary, rows, ";")
  for (k = 1; k <= varies; k++) { words(rows[k], entry); row[k] = entry[1]; column[k] = entry[2]; depth[k] = entry[3]; pace[k] = entry[4] }
  words(x0, x); words(names, name); rests = words(offset, rest)
  state = 1000003 * (seed == "" ? 1 : seed)
  for (k = 0; k < 20; k++) random()
  line = "t"
  for (i = 1; i <= m; i++) line = line "," name[i]
  print line
  samples = int(t1 / dt + 0.5)
  for (s = 0; s < samples; s++) {
    line = sprintf("%.9g", s * dt)
    for (i = 1; i <= m; i++) {
      value = i <= rests ? rest[i] : 0
      for (j = 1; j <= n; j++) value += c[i, j] * x[j]
      line = line sprintf(",%.9g", value + noise * normal())
    }
    print line
    for (k = 0; k < 20; k++) step((s + k / 20) * dt, dt / 20)
  }
}
