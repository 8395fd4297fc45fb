"""Classes of the module ``queue``, in the language of jit functions.

Where a jit function makes one of theirs, it makes the one of the same name here: nobody else has it, so that there is
nobody to wait for. What would wait for ever raises.
"""

import collections
import heapq
import queue


class Queue:
    def __init__(self, maxsize=0):
        self.maxsize = maxsize
        self.queue = collections.deque()

    def qsize(self):
        return len(self.queue)

    def empty(self):
        return len(self.queue) == 0

    def full(self):
        return 0 < self.maxsize <= len(self.queue)

    def put(self, item, block=True, timeout=None):
        if 0 < self.maxsize <= len(self.queue):
            raise queue.Full
        self.queue.append(item)

    def put_nowait(self, item):
        self.put(item)

    def get(self, block=True, timeout=None):
        if len(self.queue) == 0:
            raise queue.Empty
        return self.queue.popleft()

    def get_nowait(self):
        return self.get()

    def task_done(self):
        pass


class LifoQueue(Queue):
    def __init__(self, maxsize=0):
        self.maxsize = maxsize
        self.queue = []

    def get(self, block=True, timeout=None):
        if len(self.queue) == 0:
            raise queue.Empty
        return self.queue.pop()


class PriorityQueue(Queue):
    def __init__(self, maxsize=0):
        self.maxsize = maxsize
        self.queue = []

    def put(self, item, block=True, timeout=None):
        if 0 < self.maxsize <= len(self.queue):
            raise queue.Full
        heapq.heappush(self.queue, item)

    def get(self, block=True, timeout=None):
        if len(self.queue) == 0:
            raise queue.Empty
        return heapq.heappop(self.queue)
