"""Prices of European options: mathematical functions, and numbers from outside."""

import math

import colocate as cl

RISK_FREE = 0.1
VOLATILITY = 0.2


@cl.kernel
def black_scholes(price, strike, years, call, put):
    i = cl.get_global_id(0)
    p, s, t = price[i], strike[i], years[i]
    spread = VOLATILITY * math.sqrt(t)
    d1 = (math.log(p / s) + (RISK_FREE + 0.5 * VOLATILITY**2) * t) / spread
    d2 = d1 - spread
    n1 = 0.5 + 0.5 * math.erf(d1 / math.sqrt(2.0))
    n2 = 0.5 + 0.5 * math.erf(d2 / math.sqrt(2.0))
    discounted = s * math.exp(-RISK_FREE * t)
    call[i] = p * n1 - discounted * n2
    put[i] = call[i] - p + discounted
