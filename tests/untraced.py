"""The tests that are excluded from coverage: other tests run nearly all of their lines and branches.

Tracing doubles their time. The list has folders, files, and the slowest tests of traced files: those that
take the longest for the few lines that, by `pytest --cov --cov-context=test`, no other test runs.
"""

from __future__ import annotations

UNTRACED = (
    "infrastructure",
    "property",
    "command/test_documented.py",
    "command/test_relocate.py",
    "command/test_steward_guide.py",
    "contract/test_history.py",
    "contract/test_members.py",
    "contract/test_registry.py",
    "contract/test_standing.py",
    "functional/test_faults.py",
    "functional/test_ingest.py",
    "functional/test_ingest_documented.py",
    "functional/test_ingest_handovers.py",
    "functional/test_ingest_pairs.py",
    "functional/test_ingest_rdf.py",
    "functional/test_ingest_writings.py",
    "functional/test_interface.py",
    "functional/test_term_namespaces.py",
    "functional/test_validators.py",
    "unit/search/test_searcher.py",
    "unit/web/test_every_message.py",
    "command/test_command.py::test_storing_a_file_needs_no_confirmation",
    "command/test_command.py::test_a_dry_run_and_a_question_precede_an_upload_on_a_terminal",
    "command/test_command.py::test_the_command_is_installed",
    "command/test_command.py::test_the_page_in_the_language_of_the_user_is_named",
    "command/test_command.py::test_machines_and_users_with_the_option_yes_are_not_asked",
    "command/test_on_a_host.py::test_a_file_is_tried_out_uploaded_and_listed",
    "command/test_on_a_host.py::test_a_rule_that_loops_is_refused_and_one_that_returns_is_warned",
    "command/test_on_a_host.py::test_locations_move_from_the_folder_of_the_domain",
    "command/test_repair.py::test_a_spreadsheet_keeps_formats_formulas_and_other_parts",
    "command/test_rollback.py::test_a_vocabulary_is_restored_with_its_triples_without_reading_its_file",
    "command/test_rollback.py::test_an_upload_may_be_named_by_the_address_of_its_report",
    "functional/test_edge.py::test_the_edge_passes_the_query_on_unchanged",
    "functional/test_edge.py::test_without_the_secret_the_header_has_no_effect",
    "functional/test_resolve_handler.py::test_a_log_line_has_no_address_no_query_and_no_header",
    "unit/files/test_spreadsheets.py::test_a_zip_bomb_is_refused_within_little_memory",
    "unit/publishing/test_figures.py::test_memory_does_not_grow_with_the_registry",
)
WHOLLY_TRACED = (
    "command/test_first_files.py",
    "functional/test_repaired_files.py::test_the_corrected_file_is_the_same_everywhere",
)
"""The parametrized tests of which every case runs other lines, so that all are traced."""
