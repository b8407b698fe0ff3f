package lending;

public interface Mailer {
    boolean send(String address, String text);
}
