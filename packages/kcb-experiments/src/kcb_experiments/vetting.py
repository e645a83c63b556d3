"""Whether subjects are told what their agents can work with, before anything is asked or paid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kcb_core.codec import digest
from kcb_core.errors import DeclarationError, KcbError
from kcb_core.roles import Agent, CheckingAgent, Needs
from kcb_core.storage import read_bounded
from kcb_core.tasksets import TaskSet
from kcb_experiments.spec import Subject


def contents_of(
    subject: Subject, agent: Agent, tasks: TaskSet, chosen: Sequence[str]
) -> Mapping[str, str]:
    """The digests of the files that a subject's options name, once all that it is told is right.

    Of an agent that cannot check what it is told nothing is known, and nothing is refused.

    Args:
        subject: who is told.
        agent: its agent.
        tasks: the set that the tasks are of.
        chosen: ids of the tasks.

    Returns:
        By the option, with the name of a file behind a folder's, and with the id of the task where
        the option comes with it.

    Raises:
        DeclarationError: a setting, an option, a file or a credential is missing, unknown or wrong;
            the subject is named.
    """
    if not isinstance(agent, CheckingAgent):
        return {}
    brought = {task: options for task, options in tasks.options(chosen).items() if options}
    plain = [task for task in chosen if task not in brought]
    contents: dict[str, str] = {}
    try:
        if plain or not chosen:
            contents |= _digests(_needs(agent, subject, {}, plain))
        for task, options in brought.items():
            found = _digests(_needs(agent, subject, options, [task]))
            contents |= {f"{task}/{name}": sha256 for name, sha256 in found.items()}
    except KcbError as error:
        raise DeclarationError(f"subject {subject.name!r}: {error}") from None
    return contents


def _needs(
    agent: CheckingAgent, subject: Subject, brought: Mapping[str, str], names: Sequence[str]
) -> Needs:
    needs = agent.check_told(subject.settings, {**brought, **subject.options}, names)
    if needs.variables is not None:
        _refuse_keys(subject, needs.variables)
    return needs


def _refuse_keys(subject: Subject, variables: Mapping[str, str]) -> None:
    """Make sure that a subject receives the variables that it uses, and no other.

    Raises:
        DeclarationError: it does not; the field that is to be set is named.
    """
    for place, variable in variables.items():
        if variable and variable not in subject.credentials:
            declared = ", ".join(f'"{name}"' for name in (*subject.credentials, variable))
            raise DeclarationError(
                f"'{place}' names the variable {variable}, which its cells do not receive; set "
                f"credentials = [{declared}]"
            )
    used = set(variables.values())
    for variable in subject.credentials:
        if variable in used:
            continue
        free = [place for place, named in variables.items() if not named]
        remedy = f'set {free[0]} = "{variable}", or leave it out' if free else "leave it out"
        raise DeclarationError(
            f"'credentials' names {variable}, and agent {subject.agent!r} would use it for "
            f"nothing; {remedy}"
        )


def _digests(needs: Needs) -> dict[str, str]:
    return {name: digest(read_bounded(path)) for name, path in needs.files.items()}
