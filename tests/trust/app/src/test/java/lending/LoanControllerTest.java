package lending;

import static org.mockito.BDDMockito.given;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import java.time.LocalDate;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.web.servlet.WebMvcTest;
import org.springframework.boot.test.mock.mockito.MockBean;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.MvcResult;

@WebMvcTest(LoanController.class)
class LoanControllerTest {
    @Autowired private MockMvc mvc;
    @MockBean private LoanService service;

    @Test
    void answersALoan() throws Exception {
        LoanDto dto = LoanDto.builder().member("Ann").title("Emma").due(LocalDate.of(2026, 3, 1)).build();
        given(service.show(7)).willReturn(dto);
        mvc.perform(get("/loans/7"))
                .andExpect(status().isOk())
                .andExpect(jsonPath("$.title").value("Emma"))
                .andExpect(jsonPath("$.member").value("Ann"));
    }

    @Test
    void answersJson() throws Exception {
        given(service.show(7)).willReturn(new LoanDto("Ann", "Emma", LocalDate.of(2026, 3, 1)));
        MvcResult result = mvc.perform(get("/loans/7")).andExpect(status().isOk()).andReturn();
    }
}
