package lending;

import java.time.LocalDate;

/** Compared by identity, as entities are. */
public class Loan {
    private final Member member;
    private final String title;
    private LocalDate due;
    private int renewals;

    public Loan(Member member, String title, LocalDate due) {
        this.member = member;
        this.title = title;
        this.due = due;
    }

    public Member getMember() {
        return member;
    }

    public String getTitle() {
        return title;
    }

    public LocalDate getDue() {
        return due;
    }

    public int getRenewals() {
        return renewals;
    }

    public boolean isOverdue(LocalDate today) {
        return today.isAfter(due);
    }

    public void renew(int days) {
        if (renewals >= 2) {
            throw new IllegalStateException("renewed twice");
        }
        due = due.plusDays(days);
        renewals = renewals + 1;
    }
}
