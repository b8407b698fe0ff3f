package ring;

public class Pump {
    private boolean running;
    private int turns;

    public void start() {
        running = true;
        turns = turns + 1;
    }

    public boolean isRunning() {
        return running;
    }

    public int turns() {
        return turns;
    }
}
