"""Answers that clients share: found once, kept within bounds, cancelled when nobody waits."""

import threading

import pytest

pytest.importorskip("flask")

from werkzeug.exceptions import ServiceUnavailable

from aspdoku.errors import AspdokuError
from aspdoku.web.answers import SharedAnswers

pytestmark = pytest.mark.versions

SOON = 20


def stays():
    return False


class Work:
    """An answer that takes until it is finished or cancelled; `times` counts how often."""

    def __init__(self, error=None):
        self.times, self.error = 0, error
        self.begun, self.finish = threading.Event(), threading.Event()

    def find(self, is_cancelled):
        self.times += 1
        self.begun.set()
        while not self.finish.wait(0.01):
            if is_cancelled():
                raise ServiceUnavailable("cancelled")
        if self.error:
            raise self.error
        return b"answer", True


class Asking(threading.Thread):
    """A client that asks, whose `waits` is set when it has been asked whether it has gone."""

    def __init__(self, answers, work):
        super().__init__(daemon=True)
        self.answers, self.work = answers, work
        self.waits, self.gone, self.found = threading.Event(), False, None
        self.start()

    def run(self):
        try:
            self.found = self.answers.get(b"key", self.work.find, self.is_cancelled)
        except (AspdokuError, ServiceUnavailable) as error:
            self.found = error

    def is_cancelled(self):
        self.waits.set()
        return self.gone

    def result(self):
        self.join(SOON)
        assert not self.is_alive()
        return self.found


def asking(answers, work, number):
    """That many clients, all of whom wait."""
    clients = [Asking(answers, work) for _ in range(number)]
    for client in clients:
        assert client.waits.wait(SOON)
    return clients


def test_the_same_question_is_answered_once():
    answers, work = SharedAnswers(), Work()
    clients = asking(answers, work, 5)
    work.finish.set()
    assert [client.result() for client in clients] == [b"answer"] * 5
    assert answers.get(b"key", pytest.fail, stays) == b"answer"
    assert answers.get(b"other", work.find, stays) == b"answer"
    assert work.times == 2


def test_an_error_is_shared_and_not_kept():
    answers, work = SharedAnswers(), Work(AspdokuError("wrong"))
    clients = asking(answers, work, 3)
    work.finish.set()
    assert [str(client.result()) for client in clients] == ["wrong"] * 3
    work.error = None
    assert answers.get(b"key", work.find, stays) == b"answer"


def test_an_answer_is_cancelled_when_all_have_gone():
    answers, work = SharedAnswers(), Work()
    clients = asking(answers, work, 3)
    for client in clients[:2]:
        client.gone = True
    clients.append(*asking(answers, work, 1))
    assert work.times == 1  # the others still wait
    for client in clients:
        client.gone = True
    assert all(isinstance(client.result(), ServiceUnavailable) for client in clients)
    work.finish.set()
    assert answers.get(b"key", work.find, stays) == b"answer"
    assert work.times == 2


def test_few_wait_for_the_answers_of_others():
    answers, work = SharedAnswers(waiting=1), Work()
    clients = asking(answers, work, 2)
    with pytest.raises(ServiceUnavailable, match="busy"):
        answers.get(b"key", work.find, stays)
    work.finish.set()
    assert [client.result() for client in clients] == [b"answer"] * 2


def test_answers_are_kept_within_a_size():
    answers, found = SharedAnswers(largest=10), []

    def get(key, size=4, keep=True):
        def find(_):
            found.append(key)
            return b"x" * size, keep

        return answers.get(key, find, stays)

    for key in (b"1", b"2", b"1", b"3", b"1", b"2"):  # 2 is the one that was not used
        get(key)
    assert found == [b"1", b"2", b"3", b"2"]
    found.clear()
    get(b"large", 11)
    get(b"1")
    get(b"large", 11)
    get(b"no", keep=False)
    get(b"no", keep=False)
    assert found.count(b"large") == found.count(b"no") == 2
