"""What an IntervalSet holds, and the sets that are made from it."""

import unittest

from spans import IntervalSet

S = IntervalSet([(5, 8), (1, 3), (10, 11)])
EMPTY = IntervalSet()


class Making(unittest.TestCase):
    def test_sorted_and_merged(self):
        for pairs, expected in (
            ([], ()),
            ([(5, 8), (1, 3)], ((1, 3), (5, 8))),
            ([(1, 3), (3, 5)], ((1, 5),)),
            ([(1, 3), (4, 5)], ((1, 3), (4, 5))),
            ([(1, 9), (2, 3)], ((1, 9),)),
            ([(1, 4), (2, 6)], ((1, 6),)),
            ([(3, 3)], ()),
            ([(3, 3), (1, 2)], ((1, 2),)),
            ([(-5, -2), (-3, 10**30)], ((-5, 10**30),)),
        ):
            with self.subTest(pairs):
                self.assertEqual(IntervalSet(pairs).intervals, expected)

    def test_falling_pair(self):
        with self.assertRaises(ValueError) as caught:
            IntervalSet([(1, 2), (5, 3)])
        self.assertEqual(str(caught.exception), "interval ends before it starts: 5, 3")

    def test_ends_that_are_no_int(self):
        for pair in ((1.0, 2), (1, 2.0), ("1", "2"), (None, 1), (True, 2), (0, True), (False, 4)):
            with self.subTest(pair), self.assertRaises(TypeError):
                IntervalSet([pair])


class Holding(unittest.TestCase):
    def test_counts(self):
        self.assertEqual((len(S), S.size, bool(S)), (3, 6, True))
        self.assertEqual((len(EMPTY), EMPTY.size, bool(EMPTY)), (0, 0, False))
        self.assertEqual(IntervalSet([(-1, 10**30)]).size, 10**30 + 1)

    def test_iteration(self):
        self.assertEqual(list(S), [(1, 3), (5, 8), (10, 11)])

    def test_bounds(self):
        self.assertEqual(S.bounds, (1, 11))
        self.assertIsNone(EMPTY.bounds)

    def test_membership(self):
        self.assertEqual([n for n in range(-1, 13) if n in S], [1, 2, 5, 6, 7, 10])
        self.assertNotIn(0, EMPTY)

    def test_find(self):
        self.assertEqual([S.find(n) for n in (1, 2, 7, 10)], [(1, 3), (1, 3), (5, 8), (10, 11)])
        self.assertEqual([S.find(n) for n in (0, 3, 8, 11)], [None] * 4)

    def test_equality(self):
        same = IntervalSet([(1, 2), (2, 3), (10, 11), (5, 8)])
        self.assertEqual(S, same)
        self.assertEqual(hash(S), hash(same))
        self.assertNotEqual(S, IntervalSet([(1, 3)]))
        self.assertFalse(S == S.intervals)
        self.assertFalse(EMPTY == ())
        self.assertTrue(S != list(S))

    def test_repr(self):
        self.assertEqual(repr(S), "IntervalSet([(1, 3), (5, 8), (10, 11)])")
        self.assertEqual(repr(EMPTY), "IntervalSet([])")

    def test_at(self):
        numbers = [1, 2, 5, 6, 7, 10]
        self.assertEqual([S.at(i) for i in range(6)], numbers)
        self.assertEqual([S.at(i) for i in range(-6, 0)], numbers)
        for which, position in ((S, 6), (S, -7), (S, -13), (EMPTY, 0), (EMPTY, -1)):
            with self.subTest(position), self.assertRaises(IndexError) as caught:
                which.at(position)
            self.assertEqual(str(caught.exception), f"position out of range: {position}")

    def test_nearest(self):
        for number, expected in (
            (-9, 1), (1, 1), (2, 2), (3, 2), (4, 5), (6, 6), (8, 7), (9, 10), (99, 10),
        ):  # fmt: skip
            with self.subTest(number):
                self.assertEqual(S.nearest(number), expected)
        self.assertEqual(IntervalSet([(0, 2), (5, 6)]).nearest(3), 1)
        with self.assertRaisesRegex(ValueError, "^the set is empty$"):
            EMPTY.nearest(1)


class Combining(unittest.TestCase):
    def numbers(self, pairs):
        return {n for start, end in pairs for n in range(start, end)}

    def test_operators_agree_with_sets_of_numbers(self):
        sets = [
            EMPTY,
            S,
            IntervalSet([(0, 2), (3, 6), (7, 8)]),
            IntervalSet([(2, 12)]),
            IntervalSet([(-4, 0), (11, 14)]),
            IntervalSet([(6, 7)]),
            IntervalSet([(3, 5), (8, 10)]),
        ]
        for left in sets:
            for right in sets:
                mine, others = self.numbers(left), self.numbers(right)
                with self.subTest(left=left, right=right):
                    self.assertEqual(self.numbers(left | right), mine | others)
                    self.assertEqual(self.numbers(left & right), mine & others)
                    self.assertEqual(self.numbers(left - right), mine - others)
                    self.assertEqual(self.numbers(left ^ right), mine ^ others)
                    self.assertIs(left.issubset(right), mine <= others)
                    self.assertIs(left.isdisjoint(right), not mine & others)
                    self.assertEqual((left | right).size, len(mine | others))

    def test_operators_leave_their_sides_alone(self):
        before = S.intervals
        S | IntervalSet([(3, 4)])
        S - IntervalSet([(1, 9)])
        self.assertEqual(S.intervals, before)

    def test_operators_take_sets_only(self):
        for operation in (
            lambda: S | [(1, 2)],
            lambda: S & [(1, 2)],
            lambda: S - [(1, 2)],
            lambda: S ^ [(1, 2)],
            lambda: [(1, 2)] | S,
            lambda: S | ((1, 2),),
        ):
            with self.assertRaises(TypeError):
                operation()


class Deriving(unittest.TestCase):
    def test_clip(self):
        self.assertEqual(S.clip(2, 7).intervals, ((2, 3), (5, 7)))
        self.assertEqual(S.clip(3, 5), EMPTY)
        self.assertEqual(S.clip(6, 6), EMPTY)
        self.assertEqual(S.clip(-9, 99), S)

    def test_complement(self):
        for lo, hi, expected in (
            (0, 12, ((0, 1), (3, 5), (8, 10), (11, 12))),
            (1, 11, ((3, 5), (8, 10))),
            (2, 9, ((3, 5), (8, 9))),
            (6, 8, ()),
            (4, 4, ()),
            (3, 4, ((3, 4),)),
            (4, 12, ((4, 5), (8, 10), (11, 12))),
            (20, 22, ((20, 22),)),
            (-3, 0, ((-3, 0),)),
        ):
            with self.subTest((lo, hi)):
                self.assertEqual(S.complement(lo, hi).intervals, expected)
        self.assertEqual(EMPTY.complement(1, 4).intervals, ((1, 4),))

    def test_falling_ranges(self):
        for which in (S, EMPTY):
            for operation in (which.clip, which.complement):
                with self.assertRaises(ValueError) as caught:
                    operation(5, 3)
                self.assertEqual(str(caught.exception), "interval ends before it starts: 5, 3")

    def test_gaps(self):
        self.assertEqual(S.gaps().intervals, ((3, 5), (8, 10)))
        self.assertEqual(IntervalSet([(1, 3)]).gaps(), EMPTY)
        self.assertEqual(EMPTY.gaps(), EMPTY)

    def test_shift(self):
        self.assertEqual(S.shift(10).intervals, ((11, 13), (15, 18), (20, 21)))
        self.assertEqual(S.shift(-3).intervals, ((-2, 0), (2, 5), (7, 8)))
        self.assertEqual(S.shift(0), S)

    def test_grow(self):
        self.assertEqual(S.grow(1).intervals, ((0, 12),))
        self.assertEqual(IntervalSet([(0, 2), (9, 10)]).grow(2).intervals, ((-2, 4), (7, 12)))
        self.assertEqual(S.grow(0), S)
        self.assertEqual(S.grow(-1).intervals, ((6, 7),))
        self.assertEqual(S.grow(-2), EMPTY)

    def test_chunks(self):
        self.assertEqual(S.chunks(2), [(1, 3), (5, 7), (7, 8), (10, 11)])
        self.assertEqual(S.chunks(1), [(n, n + 1) for n in (1, 2, 5, 6, 7, 10)])
        self.assertEqual(S.chunks(99), list(S))
        self.assertEqual(EMPTY.chunks(3), [])
        for size in (0, -1):
            with self.assertRaisesRegex(ValueError, "^chunks need a size of 1 or more$"):
                S.chunks(size)
