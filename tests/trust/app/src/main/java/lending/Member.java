package lending;

/** A bean: what is put in comes out. */
public class Member {
    private String name;
    private String email;
    private int loans;

    public String getName() {
        return name;
    }

    public void setName(String name) {
        this.name = name;
    }

    public String getEmail() {
        return email;
    }

    public void setEmail(String email) {
        this.email = email;
    }

    public int getLoans() {
        return loans;
    }

    void borrowed() {
        loans = loans + 1;
    }
}
