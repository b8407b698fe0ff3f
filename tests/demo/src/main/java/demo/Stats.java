package demo;

import java.util.List;

/** Small statistics over lists of numbers. */
public final class Stats {
    private Stats() {
    }

    /**
     * Are there more positive or more negative numbers?
     *
     * @return 1 if positive ones prevail, -1 if negative ones do, 0 if neither
     */
    public static int compare(List<Integer> list) {
        int pos = 0;
        int neg = 0;
        for (int i = 0; i < list.size(); i++) {
            int number = list.get(i);
            if (number > 0) {
                pos++;
            } else if (number < 0) {
                neg++;
            }
        }
        int comparison = Integer.compare(pos, neg);
        return comparison;
    }

    public static double mean(List<Integer> list) {
        if (list.isEmpty()) {
            throw new IllegalArgumentException("no numbers");
        }
        long sum = 0;
        for (int number : list) {
            sum += number;
        }
        return (double) sum / list.size();
    }

    public static double variance(List<Integer> list) {
        double mean = mean(list);
        double squares = 0;
        for (int number : list) {
            double distance = number - mean;
            squares += distance * distance;
        }
        return squares / list.size();
    }

    /** The length of the longest run of numbers that never decrease. */
    public static int longestRun(List<Integer> list) {
        int longest = 0;
        int current = 0;
        int previous = Integer.MIN_VALUE;
        for (int number : list) {
            current = number >= previous ? current + 1 : 1;
            longest = Math.max(longest, current);
            previous = number;
        }
        return longest;
    }
}
