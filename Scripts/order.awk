# The functions of programs in `folder`, in a profile by callgrind, that were called `least` times: each
# before those that it called, and those in the order of its calls, as callgrind puts them down.
/^ob=/ { object = substr($0, 4) }
/^fn=/ {
  caller = substr($0, 4)
  if (!(caller in objects)) functions[++count] = caller
  objects[caller] = object
}
/^cfn=/ {
  callee = substr($0, 5)
  callees[caller, ++calls[caller]] = callee
}
/^calls=/ { called[callee] += substr($1, 7) }

function visit(name, call, plain) {
  if (name in visited) return
  visited[name] = 1
  if (index(objects[name], folder) == 1 && called[name] >= least) {
    plain = name
    # callgrind numbers the levels of a recursion, and calls functions without a name by address.
    sub(/'[0-9]+$/, "", plain)
    if (plain !~ /^0x/) print plain
  }
  for (call = 1; call <= calls[name]; call++) visit(callees[name, call])
}

END {
  for (position = 1; position <= count; position++)
    if (!(functions[position] in called)) visit(functions[position])
  for (position = 1; position <= count; position++) visit(functions[position])
}
