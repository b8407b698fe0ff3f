package lending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.LocalDate;
import org.junit.jupiter.api.Test;

class MemberTest {
    private final LocalDate today = LocalDate.of(2026, 3, 1);

    @Test
    void keepsItsName() {
        // Nothing: the test put it in.
        Member member = new Member();
        member.setName("Ann");
        member.setEmail("ann@example.org");
        assertThat(member.getName()).isEqualTo("Ann");
    }

    @Test
    void aLoanIsRenewed() {
        // FIXME: quiet, though renewing changes `loan.getRenewals()` too; the class is named after another.
        Loan loan = new Loan(new Member(), "Emma", today);
        loan.renew(14);
        assertThat(loan.getDue()).isEqualTo(today.plusDays(14));
    }

    @Test
    void aLoanIsRenewedTwiceAtMost() {
        // FIXME: quiet, though it could say what renewing changes, `loan.getDue()`.
        Loan loan = new Loan(new Member(), "Emma", today);
        loan.renew(14);
        loan.renew(14);
        assertThatThrownBy(() -> loan.renew(14)).hasMessage("renewed twice");
    }

    @Test
    void aLoanIsOverdueTheDayAfter() {
        // Nothing: nothing here changes the loan.
        Loan loan = new Loan(new Member(), "Emma", today);
        assertThat(loan.isOverdue(today)).isFalse();
        assertThat(loan.isOverdue(today.plusDays(1))).isTrue();
    }

    @Test
    void feesAddUp() {
        // FIXME: quiet, though it could say the part that nobody reads, `sum.reason()`.
        Fee sum = new Fee(50, "Emma").plus(new Fee(100, "Ivanhoe"));
        assertThat(sum.cents()).isEqualTo(150);
    }

    @Test
    void feesAreEqualByWhatTheyHold() {
        // Nothing: a record is equal by all that it holds.
        Fee sum = new Fee(50, "Emma").plus(new Fee(100, "Ivanhoe"));
        assertThat(sum).isEqualTo(new Fee(150, "Emma, Ivanhoe"));
    }
}
