"""Tracebacks of exceptions that jit functions raise: they end at the line of the program that raised them."""


def raised(exception, file, line, function):
    """The exception with a traceback whose last entry is a line of the user's source.

    Compiled code has no frames of its own, so a frame is made: code at that line, under the function's name, that
    raises the exception.
    """
    code = compile("\n" * (line - 1) + "raise exception", file, "exec").replace(co_name=function, co_qualname=function)
    try:
        exec(code, {"exception": exception})
    except BaseException as caught:
        # Without the entry of this function.
        return caught.with_traceback(caught.__traceback__.tb_next)
