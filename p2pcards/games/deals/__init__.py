"""Hands of games in whole numbers, for computer players that try out thousands of them.

What stands here, and in the file deal.py of each game, is plain typed Python that knows neither cards nor rules; tests
hold it equal to them. The same files run as they are or compiled by mypyc, with the same results bit for bit: whole
numbers of 63 bits at the most, no floats, no sets. What mypyc asks for: `i64` on every local; masks from `BIT`, as
`1 << place` would be a shift of 32 bits; no literal of 2**62 or more in a function, as it would be an object; and no
sum of an `int` that may be larger and an `i64`, which would be an `i64`.
"""
