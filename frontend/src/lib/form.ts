import { useForm, type UseFormReturnType } from '@mantine/form';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import * as z from 'zod/mini';
import { pageMessage } from './messages.js';
import { ProblemError } from './problem.js';
import { readDraft, writeDraft } from './browser-drafts.js';

z.config({ localeError: pageMessage });

interface BodyFormOptions<Values, Schema extends z.ZodMiniType> {
  /**
   * The values of the fields, by the names of the body's fields. Where they change later, because something else changed
   * them, the fields follow, except for those in which something was typed.
   */
  initialValues: Values;
  /** The schema of the request body; the server uses the same. */
  schema: Schema;
  /** Converts the values of the fields to the body, before the schema is applied. */
  toBody: (values: Values) => unknown;
  /** Errors by field that the schema of the body cannot find. */
  check?: (values: Values) => Partial<Record<keyof Values, string | null>>;
  /** Name of the draft that stores the values until they are sent or discarded. */
  draft?: string | undefined;
  /** Send only the fields that differ from `initialValues`, so that other fields keep the changes of other users. */
  onlyChanges?: boolean;
}

export interface BodyForm<Values, Body> extends UseFormReturnType<Values> {
  /**
   * Calls back with a valid body, only once at a time however often it is called; otherwise shows the errors under the
   * fields, focuses the first of them, and passes the labels of those that are empty. `submitting` is true meanwhile.
   */
  submit: (
    send: (body: Body) => unknown,
    tellMissing?: (labels: string[]) => void,
  ) => (event?: FormEvent<HTMLFormElement>) => void;
  /** Shows the server's field errors at their fields. False if this form has none of these fields. */
  showProblem: (error: unknown) => boolean;
  /** Call it after sending: deletes the draft, and the values sent are those that a change differs from. */
  finish: () => void;
  /** Whether the form started from a draft. */
  isRestored: boolean;
  /** Deletes the draft and resets the fields. */
  discard: () => void;
}

/** Fields with a format, also nested ones: check digits, dates, times, amounts. */
const CHECKED_ON_LEAVING = new Set([
  'cpf',
  'documento',
  'cep',
  'data',
  'data_nascimento',
  'nascimento',
  'data_vencimento',
  'vencimento',
  'dia',
  'de',
  'desde',
  'ate',
  'start_date',
  'end_date',
  'inicio',
  'fim',
  'hora',
  'start_time',
  'end_time',
  'valor',
  'desconto_valor',
  'primeira_aula',
  'sinal',
  'meta_mensal',
  'meta_trimestral',
  'meta_anual',
  'meta_reserva',
]);

/** Whether the field at this path, such as `silencio.de`, is validated on blur. */
export const isCheckedOnLeaving = (path: string): boolean =>
  CHECKED_ON_LEAVING.has(path.slice(path.lastIndexOf('.') + 1));

/** The label of a field, without the mark of a required one. */
const labelOf = ({ labels }: HTMLInputElement): string[] =>
  [...(labels ?? [])].slice(0, 1).map(({ textContent }) => textContent.replace(/\s*\*$/, ''));

function errorsOf(issues: readonly z.core.$ZodIssue[]): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const { path, message } of issues) errors[path.join('.')] ??= message;
  return errors;
}

function difference(body: unknown, before: unknown): object {
  const known = before as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(body as object).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(known[name]),
    ),
  );
}

/** A form over the schema of a request body. Fields keep strings; the body has cents, instants and ids. */
export function useBodyForm<Values extends Record<string, unknown>, Schema extends z.ZodMiniType>({
  initialValues,
  schema,
  toBody,
  check,
  draft,
  onlyChanges = false,
}: BodyFormOptions<Values, Schema>): BodyForm<Values, z.output<Schema>> {
  const [typed] = useState(() => {
    const found = Object.entries(readDraft<Values>(draft)).filter(([name]) => name in initialValues);
    return Object.fromEntries(found) as Partial<Values>;
  });
  const [isRestored, setRestored] = useState(Object.keys(typed).length > 0);
  const form = useForm<Values>({
    initialValues: { ...initialValues, ...typed },
    validate: (values) => {
      const parsed = schema.safeParse(toBody(values));
      // A value without an error of `check` may still be refused by the schema.
      const found = Object.entries(check?.(values) ?? {}).filter(([, error]) => error);
      return { ...(!parsed.success && errorsOf(parsed.error.issues)), ...Object.fromEntries(found) };
    },
  });
  const { values, getValues, setValues } = form;
  const initial = useRef(initialValues);
  const sent = useRef(values);
  const written = useRef(values);
  const busy = useRef(false);

  const given = JSON.stringify(initialValues);
  useEffect(() => {
    const before = initial.current;
    const changed = difference(JSON.parse(given), before);
    if (Object.keys(changed).length === 0) return;
    initial.current = JSON.parse(given) as Values;
    const typed = difference(getValues(), before);
    const untouched = Object.entries(changed).filter(([name]) => !(name in typed));
    if (untouched.length > 0) setValues(Object.fromEntries(untouched) as Partial<Values>);
  }, [given, getValues, setValues]);

  useEffect(() => {
    if (values === written.current) return;
    written.current = values;
    // Only typed values: the others may have changed when the draft is restored.
    writeDraft(draft, difference(values, initial.current));
  }, [draft, values]);

  /** These fields of the page, in its order. */
  const nodesOf = (paths: readonly string[]) =>
    paths
      .map((path): HTMLInputElement | null => form.getInputNode(path as never))
      .filter((node) => node !== null)
      .sort((one, other) => (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));

  /** A field with a format is validated on blur, unless it is empty. */
  const getInputProps: typeof form.getInputProps = (path, options) => {
    const props = form.getInputProps(path, options);
    if (!isCheckedOnLeaving(path)) return props;
    const leave = props.onBlur as ((event: unknown) => void) | undefined;
    return {
      ...props,
      onBlur: (event: unknown) => {
        leave?.(event);
        if (props.value !== '') form.validateField(path);
      },
    };
  };

  return {
    ...form,
    getInputProps,
    submit: (send, tellMissing) =>
      form.onSubmit(
        async (valid) => {
          // A second tap may arrive before the disabled button is rendered.
          if (busy.current) return;
          const body = schema.parse(toBody(valid));
          sent.current = valid;
          busy.current = true;
          const changes = () => difference(body, schema.parse(toBody(initial.current)));
          try {
            await send((onlyChanges ? changes() : body) as z.output<Schema>);
          } finally {
            busy.current = false;
          }
        },
        (errors) => {
          const nodes = nodesOf(Object.keys(errors));
          nodes[0]?.focus();
          tellMissing?.(nodes.filter(({ value }) => value === '').flatMap(labelOf));
        },
      ),
    showProblem: (error) => {
      if (!(error instanceof ProblemError)) return false;
      // A nested one, such as `responsavel.cpf`, is known if the page has its field.
      const known = Object.entries(error.fields).filter(
        ([name]) => name in values || form.getInputNode(name as never) !== null,
      );
      for (const [name, detail] of known) form.setFieldError(name as never, detail);
      nodesOf(known.map(([name]) => name))[0]?.focus();
      return known.length > 0;
    },
    finish: () => {
      // What was typed while it was sent is not saved yet.
      writeDraft(draft, difference(getValues(), sent.current));
      initial.current = sent.current;
      setRestored(false);
    },
    isRestored,
    discard: () => {
      writeDraft(draft, {});
      form.setValues(initial.current);
      form.clearErrors();
      setRestored(false);
    },
  };
}
