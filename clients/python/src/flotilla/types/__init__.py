"""The types of requests and responses, generated from the OpenAPI documents."""
