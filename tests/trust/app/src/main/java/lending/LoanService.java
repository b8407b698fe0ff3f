package lending;

import java.time.LocalDate;
import org.springframework.stereotype.Service;

@Service
public class LoanService {
    private final LoanRepository loans;
    private final Mailer mailer;

    public LoanService(LoanRepository loans, Mailer mailer) {
        this.loans = loans;
        this.mailer = mailer;
    }

    public Loan lend(Member member, String title, LocalDate today) {
        if (member.getLoans() >= 3) {
            throw new IllegalStateException(member.getName() + " has three loans");
        }
        LocalDate due = today.plusDays(28);
        Loan loan = new Loan(member, title, due);
        member.borrowed();
        String text = title + " is yours until " + due;
        mailer.send(member.getEmail(), text);
        return loans.save(loan);
    }

    public Fee overdue(String name, LocalDate today) {
        int cents = 0;
        String reason = "";
        for (Loan loan : loans.findByMember(name)) {
            if (loan.isOverdue(today)) {
                cents = cents + 50;
                reason = reason + loan.getTitle() + ";";
            }
        }
        return new Fee(cents, reason);
    }

    public LoanDto show(int id) {
        Loan loan = loans.findById(id).orElseThrow();
        return LoanDto.builder()
                .member(loan.getMember().getName())
                .title(loan.getTitle())
                .due(loan.getDue())
                .build();
    }
}
