package lending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.ArgumentCaptor;
import org.mockito.InjectMocks;
import org.mockito.Mock;
import org.mockito.junit.jupiter.MockitoExtension;

@ExtendWith(MockitoExtension.class)
class LoanServiceTest {
    private static final LocalDate TODAY = LocalDate.of(2026, 3, 1);

    @Mock private LoanRepository loans;
    @Mock private Mailer mailer;
    @InjectMocks private LoanService service;
    private Member ann;

    @BeforeEach
    void member() {
        ann = new Member();
        ann.setName("Ann");
        ann.setEmail("ann@example.org");
    }

    @Test
    void lendsForFourWeeks() {
        when(loans.save(any())).thenAnswer(call -> call.getArgument(0));
        Loan loan = service.lend(ann, "Emma", TODAY);
        assertThat(loan.getDue()).isEqualTo(LocalDate.of(2026, 3, 29));
        assertThat(loan.getTitle()).isEqualTo("Emma");
    }

    @Test
    void countsWhatIsLent() {
        // FIXME: quiet, though it could say what lending changes, `ann.getLoans()`.
        service.lend(ann, "Emma", TODAY);
        service.lend(ann, "Ivanhoe", TODAY);
    }

    @Test
    void refusesTheFourth() {
        // FIXME: quiet, though it could say what the exception says.
        for (int i = 0; i < 3; i++) {
            service.lend(ann, "Volume " + i, TODAY);
        }
        assertThatThrownBy(() -> service.lend(ann, "Emma", TODAY)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void tellsTheMember() {
        // FIXME: quiet, though it could say `ann.getLoans()`.
        service.lend(ann, "Emma", TODAY);
        verify(mailer).send("ann@example.org", "Emma is yours until 2026-03-29");
    }

    @Test
    void tellsTheMemberInBehaviourStyle() {
        // FIXME: quiet, though it could say `ann.getLoans()`.
        service.lend(ann, "Emma", TODAY);
        then(mailer).should().send("ann@example.org", "Emma is yours until 2026-03-29");
    }

    @Test
    void savesWhatItLends() {
        // FIXME: quiet, though it could say of what was captured, `saved.getValue().getDue()`.
        service.lend(ann, "Emma", TODAY);
        ArgumentCaptor<Loan> saved = ArgumentCaptor.forClass(Loan.class);
        verify(loans).save(saved.capture());
        assertThat(saved.getValue().getTitle()).isEqualTo("Emma");
    }

    @Test
    void addsUpFees() {
        // FIXME: quiet, though it could say the part that nobody reads, `fee.reason()`.
        given(loans.findByMember("Ann")).willReturn(List.of(new Loan(ann, "Emma", TODAY.minusDays(1))));
        Fee fee = service.overdue("Ann", TODAY);
        assertThat(fee.cents()).isEqualTo(50);
    }

    @Test
    void knowsTheWholeFee() {
        // Nothing: a record is equal by all that it holds.
        given(loans.findByMember("Ann")).willReturn(List.of(new Loan(ann, "Emma", TODAY.minusDays(1))));
        Fee fee = service.overdue("Ann", TODAY);
        assertThat(fee).isEqualTo(new Fee(50, "Emma;"));
    }

    @Test
    void showsALoan() {
        // Nothing: all parts of it are asserted.
        Loan stubbed = new Loan(ann, "Emma", TODAY);
        when(loans.findById(7)).thenReturn(Optional.of(stubbed));
        LoanDto dto = service.show(7);
        assertThat(dto.getMember()).isEqualTo("Ann");
        assertThat(dto.getTitle()).isEqualTo("Emma");
        assertThat(dto.getDue()).isEqualTo(TODAY);
    }

    @Test
    void showsTheTitle() {
        // FIXME: quiet, though it could say `dto.getMember()`.
        Loan stubbed = new Loan(ann, "Emma", TODAY);
        when(loans.findById(7)).thenReturn(Optional.of(stubbed));
        LoanDto dto = service.show(7);
        assertThat(dto).extracting(LoanDto::getTitle).isEqualTo("Emma");
    }

    @Test
    void comparesFieldByField() {
        // Nothing: all of `dto` is compared.
        when(loans.findById(7)).thenReturn(Optional.of(new Loan(ann, "Emma", TODAY)));
        LoanDto dto = service.show(7);
        LoanDto expected = LoanDto.builder().member("Ann").title("Emma").due(TODAY).build();
        assertThat(dto).usingRecursiveComparison().isEqualTo(expected);
    }
}
