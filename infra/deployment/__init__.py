"""What `make deploy` does around `sam deploy`, run by the Python of the SAM CLI after `sam build`."""
