//! What gives another value in the next run, or on another machine: time, chance, identities, what the machine is.

use crate::values::is_class;

/// What draws a number.
const RANDOM: &[&str] = &[
    "nextInt",
    "nextLong",
    "nextDouble",
    "nextBoolean",
    "nextFloat",
    "nextBytes",
    "nextGaussian",
    "nextExponential",
    "ints",
    "longs",
    "doubles",
];

/// Calls whose values differ from run to run, by the end of the class and the method.
const UNSTABLE: &[(&str, &[&str])] = &[
    (
        "System",
        &["currentTimeMillis", "nanoTime", "identityHashCode"],
    ),
    ("UUID", &["randomUUID"]),
    ("KeyPairGenerator", &["generateKeyPair", "genKeyPair"]),
    ("KeyGenerator", &["generateKey"]),
    ("Math", &["random"]),
    ("Instant", &["now"]),
    ("LocalDate", &["now"]),
    ("LocalTime", &["now"]),
    ("LocalDateTime", &["now"]),
    ("ZonedDateTime", &["now"]),
    ("OffsetDateTime", &["now"]),
    ("Year", &["now"]),
    ("YearMonth", &["now"]),
    ("Clock", &["instant", "millis"]),
    ("Calendar", &["getInstance"]),
    ("Thread", &["currentThread", "getId", "getName", "threadId"]),
    ("Random", RANDOM),
    ("SecureRandom", RANDOM),
    ("RandomGenerator", RANDOM),
    ("SplittableRandom", RANDOM),
    (
        "Runtime",
        &[
            "availableProcessors",
            "freeMemory",
            "maxMemory",
            "totalMemory",
        ],
    ),
    (
        "RuntimeMXBean",
        &["getName", "getPid", "getStartTime", "getUptime"],
    ),
    (
        "OperatingSystemMXBean",
        &[
            "getAvailableProcessors",
            "getCpuLoad",
            "getFreeMemorySize",
            "getProcessCpuLoad",
            "getProcessCpuTime",
            "getSystemCpuLoad",
            "getSystemLoadAverage",
        ],
    ),
    ("ThreadLocalRandom", RANDOM),
    (
        "RandomStringUtils",
        &[
            "random",
            "randomAlphabetic",
            "randomAlphanumeric",
            "randomNumeric",
        ],
    ),
];

/// Classes whose new objects hold the time or chance.
const UNSTABLE_NEW: &[&str] = &["Date", "GregorianCalendar", "Random", "SecureRandom"];

/// Calls whose values differ from machine to machine, or with the place of the code, by the end of the class and the
/// method.
const OF_MACHINE: &[(&str, &[&str])] = &[
    ("System", &["getProperty", "getenv", "getProperties"]),
    (
        "InetAddress",
        &[
            "getLocalHost",
            "getByName",
            "getAllByName",
            "getHostAddress",
        ],
    ),
    (
        "NetworkInterface",
        &["getNetworkInterfaces", "getByInetAddress"],
    ),
    (
        "File",
        &["lastModified", "getAbsolutePath", "getCanonicalPath"],
    ),
    ("Files", &["getLastModifiedTime"]),
    (
        "Runtime",
        &[
            "availableProcessors",
            "totalMemory",
            "freeMemory",
            "maxMemory",
        ],
    ),
    ("ManagementFactory", &["getRuntimeMXBean"]),
    ("Locale", &["getDefault"]),
    ("TimeZone", &["getDefault"]),
    ("ZoneId", &["systemDefault"]),
    ("Charset", &["defaultCharset"]),
    ("Preferences", &["systemRoot", "userRoot"]),
    ("LogManager", &["getLogManager", "getLoggerNames"]),
    ("ProcessHandle", &["current"]),
    ("Throwable", &["getStackTrace"]),
    ("Exception", &["getStackTrace"]),
    ("Thread", &["getStackTrace"]),
];

/// What atomic numbers are asked to count on.
const COUNTS: &[&str] = &[
    "incrementAndGet",
    "getAndIncrement",
    "decrementAndGet",
    "getAndDecrement",
    "addAndGet",
    "getAndAdd",
];

/// What a stopwatch is, and what it and the clock are asked, or waited for.
const WATCH: &str = "Stopwatch";
const CLOCKS: &[&str] = &["nanoTime", "createStarted", "sleep"];

/// What asks another machine, by the end of the class and what it is asked.
const NETWORK: &[(&str, &[&str])] = &[
    ("HttpClient", &["send", "sendAsync"]),
    ("Socket", &["connect"]),
    ("URL", &["openConnection", "openStream"]),
];

/// What starts another program, by the end of the class and what it is asked.
const PROCESSES: &[(&str, &[&str])] = &[("ProcessBuilder", &["start"]), ("Runtime", &["exec"])];

/// True for a call whose value is another one in the next run, by its class and name.
pub fn varies_by_run(class: &str, name: &str) -> bool {
    has(UNSTABLE, class, name)
}

/// What a build writes of itself, by words of the name under which code asks for it.
const OF_BUILDS: &[&str] = &["version", "build", "git", "commit", "revision"];

/// True for a call that asks for what a build writes of itself: `properties.getProperty("git.commit.id")`. `asked`: its
/// arguments, as they are written.
pub fn is_of_build(name: &str, asked: &str) -> bool {
    let is_of_package = ["getImplementationVersion", "getSpecificationVersion"].contains(&name);
    let asks = ["getProperty", "getValue"].contains(&name);
    let asked = asked.to_lowercase();
    is_of_package || asks && OF_BUILDS.iter().any(|w| asked.contains(w))
}

/// True for a call whose value is another one on another machine, by its class and name.
pub fn varies_by_machine(class: &str, name: &str) -> bool {
    has(OF_MACHINE, class, name)
}

/// True for a class whose new objects, made of nothing, hold the time or chance.
pub fn is_made_varying(class: &str) -> bool {
    UNSTABLE_NEW.iter().any(|c| is_class(class, c))
}

/// True for the name of a call that draws a number, if it is of a class that does.
pub fn draws(name: &str) -> bool {
    RANDOM.contains(&name) || name == "random"
}

/// True for the name of a call by which an atomic number counts on.
pub fn counts_on(name: &str) -> bool {
    COUNTS.contains(&name)
}

/// True for the name of a call that asks how late it is, to measure, or waits.
pub fn is_about_time(name: &str) -> bool {
    CLOCKS.contains(&name)
}

/// True for a call that starts another program: what that writes, this machine says.
pub fn starts_a_program(class: &str, name: &str) -> bool {
    has(PROCESSES, class, name)
}

/// True for the name of a call that asks another machine or starts another program, if it is of a class that does.
pub fn may_go_out(name: &str) -> bool {
    let mut all = NETWORK.iter().chain(PROCESSES);
    all.any(|(_, names)| names.contains(&name))
}

/// True for a call that asks another machine.
pub fn goes_out(class: &str, name: &str) -> bool {
    has(NETWORK, class, name)
}

/// True for a class that measures time.
pub fn is_watch(class: &str) -> bool {
    is_class(class, WATCH)
}

fn has(table: &[(&str, &[&str])], class: &str, name: &str) -> bool {
    let mut rows = table.iter();
    rows.any(|(of, names)| is_class(class, of) && names.contains(&name))
}
