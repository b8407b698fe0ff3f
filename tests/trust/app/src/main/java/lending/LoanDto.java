package lending;

import java.time.LocalDate;
import lombok.AllArgsConstructor;
import lombok.Builder;
import lombok.Data;

/** Its getters, its builder and its equality are in no file. */
@Data
@Builder
@AllArgsConstructor
public class LoanDto {
    private String member;
    private String title;
    private LocalDate due;
}
