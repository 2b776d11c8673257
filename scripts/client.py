"""Uses a client that is generated from the OpenAPI document; scripts/test-clients runs it."""

import sys

from binder_client import Client
from binder_client.api.questions import concept, hyponyms, is_a, is_a_batch, nearest
from binder_client.models import Batch, NearestBy, Problem

client = Client(base_url=sys.argv[1])
dog = "dog.n.01"
assert is_a.sync(client=client, child=dog, parent="canine.n.02").is_a
assert is_a_batch.sync(client=client, body=Batch(pairs=[[dog, "canine.n.02"]])).is_a == [True]
assert len(nearest.sync(client=client, name=dog, by=NearestBy.WU_PALMER, limit=3).concepts) == 3
assert hyponyms.sync(client=client, name=dog, limit=5).next_ == "after-5"
wrong = concept.sync(client=client, name="nobody")
assert isinstance(wrong, Problem) and wrong.status == 404, wrong
print("a generated Python client: right")
