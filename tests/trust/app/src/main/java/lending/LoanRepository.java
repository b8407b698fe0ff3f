package lending;

import java.util.List;
import java.util.Optional;

/** Its code is made when it runs. */
public interface LoanRepository {
    Optional<Loan> findById(int id);

    List<Loan> findByMember(String name);

    Loan save(Loan loan);
}
