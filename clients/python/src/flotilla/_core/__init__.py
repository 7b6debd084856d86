"""Parts that the asynchronous and the synchronous client share. They do no I/O."""
