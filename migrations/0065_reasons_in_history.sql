-- Why an operator made a change, beside the text that there is: a reason of the policy, what the registrar is told, and the case.
-- compatible: no program before writes or reads them
alter table history add column reason_code text;
alter table history add column reason_for_registrar text;
alter table history add column case_number text;
