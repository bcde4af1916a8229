"""Many short cases in one test: as tests of their own they take longer to start than to run."""

import functools
import inspect

import pytest


def in_one_test(names, values):
    """Like `pytest.mark.parametrize`, as a single test.

    All cases run, and the failure names those that failed. Cases share their fixtures, and none can
    be skipped.
    """
    names, values = [names] if isinstance(names, str) else list(names), list(values)
    assert values
    assert not any(hasattr(value, "marks") for value in values), "a case cannot be marked"
    cases = [dict(zip(names, value if names[1:] else [value], strict=True)) for value in values]

    def decorate(test):
        @functools.wraps(test)
        def run(**fixtures):
            failed, errors = [], []
            for case in cases:
                try:
                    test(**fixtures, **case)
                except (Exception, pytest.fail.Exception, pytest.skip.Exception) as error:
                    words = ", ".join(f"{name}={value!r:.300}" for name, value in case.items())
                    error.add_note(f"in the case {words}")
                    failed.append(words)
                    errors.append(error)
            if errors:
                count = f"{len(errors)} of {len(cases)} cases failed"
                raise BaseExceptionGroup("\n  ".join([f"{count}:", *failed]), errors)

        signature = inspect.signature(test)
        rest = [each for name, each in signature.parameters.items() if name not in names]
        run.__signature__ = signature.replace(parameters=rest)
        run.in_one_test = True  # for -k
        return run

    return decorate
