//! What makes sources: annotation processors and plugins that are known by name, so that it can be said whose code is
//! not on disk. Lombok is not among them: what it makes is known without its output.

/// A part of the name of an artifact or a plugin, and what it is called.
const KNOWN: &[(&str, &str)] = &[
    ("mapstruct-processor", "MapStruct"),
    ("hibernate-jpamodelgen", "the JPA metamodel"),
    ("hibernate-processor", "the JPA metamodel"),
    ("eclipselink.modelgen", "the JPA metamodel"),
    ("querydsl-apt", "Querydsl"),
    ("apt-maven-plugin", "Querydsl"),
    ("protobuf-maven-plugin", "protobuf"),
    ("com.google.protobuf", "protobuf"),
    ("protoc-jar-maven-plugin", "protobuf"),
    ("wire-gradle-plugin", "protobuf"),
    ("com.squareup.wire", "protobuf"),
    ("jooq-codegen", "jOOQ"),
    ("nu.studer.jooq", "jOOQ"),
    ("openapi-generator", "OpenAPI"),
    ("org.openapi.generator", "OpenAPI"),
    ("swagger-codegen", "OpenAPI"),
    ("antlr4-maven-plugin", "ANTLR"),
    ("antlr3-maven-plugin", "ANTLR"),
    ("avro-maven-plugin", "Avro"),
    ("avro-gradle-plugin", "Avro"),
    ("maven-jaxb2-plugin", "JAXB"),
    ("jaxb-maven-plugin", "JAXB"),
    ("jaxb2-maven-plugin", "JAXB"),
    ("jaxws-maven-plugin", "JAX-WS"),
    ("cxf-codegen-plugin", "JAX-WS"),
    ("javacc-maven-plugin", "JavaCC"),
    ("graphql-codegen", "GraphQL"),
    ("com.netflix.dgs.codegen", "GraphQL"),
    ("modello-maven-plugin", "Modello"),
    ("dagger-compiler", "Dagger"),
    ("auto-value", "AutoValue"),
    ("org.immutables", "Immutables"),
    ("record-builder-processor", "RecordBuilder"),
];

/// What the generator of this artifact or plugin is called, if it is one.
pub(crate) fn named(name: &str) -> Option<&'static str> {
    // `auto-value-annotations` and the like generate nothing.
    if name.split(':').any(|part| part.ends_with("-annotations")) {
        return None;
    }
    KNOWN
        .iter()
        .find(|(part, _)| name.contains(part))
        .map(|(_, called)| *called)
}
