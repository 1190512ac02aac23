"""One way to make AWS clients, and one reading of what goes wrong with them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from ginuri.core.errors import RegistryUnavailable

CONFIG = Config(
    connect_timeout=1,
    read_timeout=3,
    retries={"mode": "standard", "total_max_attempts": 3},
    # Every request is written here and nowhere else; validating it again costs a tenth of a call.
    parameter_validation=False,
)
S3_CONFIG = CONFIG.merge(Config(signature_version="s3v4"))  # older signatures are refused by younger buckets


@contextmanager
def unavailable() -> Iterator[None]:
    """Turn whatever AWS refuses or fails to do into RegistryUnavailable: it may work later."""
    try:
        yield
    except ClientError as error:
        raise RegistryUnavailable(error.response["Error"]["Code"]) from error
    except BotoCoreError as error:
        raise RegistryUnavailable(type(error).__name__) from error
