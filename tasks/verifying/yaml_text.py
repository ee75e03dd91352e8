"""Read YAML as strictly as JSON: one meaning, no surprises."""

from collections import Counter
from collections.abc import Hashable
from typing import Any

import yaml


class BadYaml(ValueError):
    """The text is not plain YAML. The message says why, and on which line."""


def read_yaml(text: str) -> Any:
    """Return the document in `text`: a key given twice or an alias is an error, a date is text.

    Raises:
        BadYaml: saying what is wrong and where.
    """
    try:
        return yaml.load(text, _StrictLoader)  # noqa: S506 (a SafeLoader, made stricter)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise BadYaml(" ".join(str(error).split())) from None


class _StrictLoader(yaml.SafeLoader):
    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            mark = self.get_mark()
            raise yaml.MarkedYAMLError(problem="aliases are not supported", problem_mark=mark)
        return super().compose_node(parent, index)


def _mapping(loader: _StrictLoader, node: yaml.MappingNode) -> dict[Hashable, Any]:
    names = Counter(key.value for key, _ in node.value)
    for key, _ in node.value:
        if key.tag != "tag:yaml.org,2002:str":
            problem = f"the key {key.value!r} is no text; put it into quotes"
        elif names[key.value] > 1:
            problem = f"the key {key.value!r} is given twice"
        else:
            continue
        raise yaml.MarkedYAMLError(problem=problem, problem_mark=key.start_mark)
    return loader.construct_mapping(node, deep=True)


_StrictLoader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)
_StrictLoader.yaml_implicit_resolvers = {
    letter: [(tag, rule) for tag, rule in rules if tag != "tag:yaml.org,2002:timestamp"]
    for letter, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
