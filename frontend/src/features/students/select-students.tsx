import { Button, Checkbox, TextInput } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import { memo, startTransition, useCallback, useMemo, useState } from 'react';
import {
  type BulkChange,
  type ListedStudent,
  MAX_TAGS,
  MAX_CHANGED,
  newTag,
} from '../../../../backend/modules/students/students.api.js';
import type { Price } from '../../../../backend/modules/audit/price.api.js';
import { counted, plural } from '../../../../backend/platform/plural.api.js';
import { searchable } from '../../../../backend/platform/searchable.api.js';
import { messageOf } from '../../lib/problem.js';
import { Icon } from '../../ui/icon.js';
import { LongList, type RowPlace } from '../../ui/long-list.js';
import { Sheet, SheetForm } from '../../ui/sheet.js';
import { attempt, takenBack, toast } from '../../ui/toast.js';
import { read, write } from '../../lib/calls.js';
import { useCommand } from '../../lib/command.js';
import { creditsInWords } from '../../parts/credit-tag.js';
import { useBodyForm } from '../../lib/form.js';
import { type LookedFor, readAll } from '../../parts/students.queries.js';
import { UndoSheet } from '../../parts/undo-sheet.js';
import { MessageStudents } from './message-students.js';
import classes from './students.module.css';
import studentPageClasses from './student-page.module.css';
import { useTags } from './students.queries.js';
import rowClasses from './student-row.module.css';

interface SelectStudentsProps {
  /** The loaded part of the list. */
  listed: readonly ListedStudent[];
  /** Number of all matching students. */
  total: number | undefined;
  lookedFor: LookedFor;
  onDone: () => void;
}

const inverse: Record<BulkChange['acao'], BulkChange['acao']> = {
  inativar: 'reativar',
  reativar: 'inativar',
  etiquetar: 'remover_etiqueta',
  remover_etiqueta: 'etiquetar',
};

/** So many students are asked for one by one. */
const MOST_PRICED = 10;

/** Why no student was changed, such as that all already have the maximum of tags. */
function whyNobody(chosen: readonly ListedStudent[], tag: string | undefined): string {
  const lacks = ({ etiquetas }: ListedStudent) =>
    tag !== undefined && !etiquetas.some((each) => searchable(each) === searchable(tag));
  return chosen.some(lacks)
    ? `Quem ainda não tem esta etiqueta já tem ${MAX_TAGS}, o máximo por aluno.`
    : 'Todos já estavam assim.';
}

type Ticked = ReadonlyMap<string, ListedStudent>;

const known = (students: readonly ListedStudent[]) => students.filter(({ esquecido }) => !esquecido);

/** Selects students, also across several searches, with actions for all selected ones. */
export default function SelectStudents({ listed, total = 0, lookedFor, onDone }: SelectStudentsProps) {
  const [ticked, setTicked] = useState<Ticked>(new Map());
  const [isReading, setReading] = useState(false);
  const [sheet, setSheet] = useState<'mensagem' | 'etiqueta' | 'reativar' | null>(null);
  const { change: send, isPending, reached } = useChangeStudents();
  const archived = lookedFor.standing === 'arquivados';
  const students = useMemo(() => known(listed), [listed]);
  const chosen = [...ticked.values()];
  const isWhole = listed.length >= total;
  const areAll =
    students.length > 0 &&
    students.every(({ id }) => ticked.has(id)) &&
    (isWhole || ticked.size > students.length);

  const tick = useCallback((one: readonly ListedStudent[], isTicked: boolean) => {
    setTicked((before) => {
      const next = new Map(before);
      for (const student of one) {
        if (isTicked) next.set(student.id, student);
        else next.delete(student.id);
      }
      return next;
    });
  }, []);
  /** Selects all matching students, including those that are not loaded. */
  const tickAll = async () => {
    startTransition(() => tick(students, true));
    if (isWhole) return;
    setReading(true);
    await attempt(async () => tick(known(await readAll(lookedFor)), true), 'Erro ao carregar alunos');
    setReading(false);
  };

  /** Makes a change for all selected students; its undo only affects those who changed. */
  const change = (what: Pick<BulkChange, 'acao' | 'etiqueta'>, done: (count: number) => string) =>
    attempt(async () => {
      const { changed, left, failure } = await send({ ...what, ids: [...ticked.keys()] });
      if (!failure) onDone();
      else setTicked((before) => new Map([...before].filter(([id]) => left.includes(id))));
      if (changed.length === 0) {
        toast.info('Nenhum aluno mudou', { description: whyNobody(chosen, what.etiqueta) });
        return;
      }
      const back = takenBack(async () => {
        const undone = await send({ ...what, acao: inverse[what.acao], ids: changed });
        if (undone.failure) throw undone.failure;
      });
      if (!failure) toast.success(done(changed.length), back);
      else
        toast.error('Erro ao atualizar alunos', {
          description: `${done(changed.length)}, faltam ${counted(left.length)}. ${messageOf(failure)}`,
          ...back,
        });
    }, 'Erro ao atualizar alunos');

  const move = (acao: 'inativar' | 'reativar') =>
    change({ acao }, (count) =>
      acao === 'reativar'
        ? plural(count, 'aluno reativado', 'alunos reativados')
        : plural(count, 'aluno inativado', 'alunos inativados'),
    );
  const nobody = chosen.length === 0 || isReading;
  return (
    <>
      <div className={classes.all}>
        <Checkbox
          label={
            areAll
              ? 'Desmarcar todos'
              : `Marcar todos (${counted(total - (listed.length - students.length))})`
          }
          checked={areAll}
          indeterminate={!areAll && chosen.length > 0}
          onChange={() => (areAll ? startTransition(() => setTicked(new Map())) : void tickAll())}
        />
      </div>
      <LongList items={students} total={total} className={rowClasses.list}>
        {(student, place) => (
          <Line
            key={student.id}
            student={student}
            onTick={tick}
            isTicked={ticked.has(student.id)}
            {...place}
          />
        )}
      </LongList>
      <div className={classes.footer} data-bottom-actions role="group" aria-label="Com os alunos marcados">
        <span className={classes.count} role="status">
          {wordsFor({ isReading, isPending, reached, count: chosen.length })}
        </span>
        <Button
          size="sm"
          variant="default"
          disabled={nobody}
          onClick={() => setSheet('mensagem')}
          leftSection={<Icon name="chat" size={18} />}
          classNames={{ section: classes.icon }}
        >
          Mensagem
        </Button>
        <Button size="sm" variant="default" disabled={nobody} onClick={() => setSheet('etiqueta')}>
          Etiquetar
        </Button>
        <Button
          size="sm"
          variant="default"
          disabled={nobody}
          loading={isPending}
          onClick={() => (archived ? setSheet('reativar') : void move('inativar'))}
        >
          {archived ? 'Reativar' : 'Inativar'}
        </Button>
      </div>
      {sheet === 'reativar' && (
        <UndoSheet
          what={`Reativar ${plural(chosen.length, 'aluno', 'alunos')}`}
          of={chosen.map(({ id }) => id).join()}
          price={(signal) => priceOfAll(chosen, signal)}
          onUndo={() => move('reativar')}
          onClose={() => setSheet(null)}
        />
      )}
      <Sheet
        opened={sheet === 'mensagem'}
        onClose={() => setSheet(null)}
        title={`Mensagem para ${plural(chosen.length, 'aluno', 'alunos')}`}
        beginsAtField="typed"
        withoutAddress
      >
        {sheet === 'mensagem' && <MessageStudents students={chosen} />}
      </Sheet>
      <Sheet
        opened={sheet === 'etiqueta'}
        onClose={() => setSheet(null)}
        title={`Etiqueta para ${plural(chosen.length, 'aluno', 'alunos')}`}
        beginsAtField="typed"
        withoutAddress
      >
        {sheet === 'etiqueta' && (
          <TagStudents
            onTag={(etiqueta) =>
              change(
                { acao: 'etiquetar', etiqueta },
                (count) => `Etiqueta ${etiqueta} em ${plural(count, 'aluno', 'alunos')}`,
              )
            }
          />
        )}
      </Sheet>
    </>
  );
}

/** What goes with the return of each; of many only what holds for all of them. */
async function priceOfAll(chosen: readonly ListedStudent[], signal: AbortSignal): Promise<Price> {
  if (chosen.length > MOST_PRICED)
    return {
      efeitos: [
        `${plural(chosen.length, 'aluno volta', 'alunos voltam')} à lista de ativos`,
        'a mensalidade de quem tem uma volta a ser cobrada, a partir do próximo mês',
      ],
    };
  const prices = await Promise.all(
    chosen.map(({ id }) => read('GET /students/:id/restore/preview', { of: [id], signal })),
  );
  return {
    efeitos: chosen.flatMap(({ nome }, at) => {
      const [back, ...billed] = prices[at]!.efeitos;
      return [back, ...billed.map((effect) => `${nome}: ${effect}`)].filter((each) => each !== undefined);
    }),
  };
}

function wordsFor({
  isReading,
  isPending,
  reached,
  count,
}: Record<'isReading' | 'isPending', boolean> & Record<'reached' | 'count', number>): string {
  if (isReading) return 'Marcando todos…';
  if (isPending && reached > 0) return `${counted(reached)} de ${plural(count, 'aluno', 'alunos')}`;
  return plural(count, 'marcado', 'marcados');
}

interface LineProps extends RowPlace {
  student: ListedStudent;
  isTicked: boolean;
  onTick: (students: readonly ListedStudent[], isTicked: boolean) => void;
}

const Line = memo(function Line({ student, isTicked, onTick, ...place }: LineProps) {
  return (
    <li className={classes.line} {...place}>
      <Checkbox
        label={student.nome}
        description={`${student.plano?.nome ?? 'Sem plano'} · ${creditsInWords(student.creditos)}`}
        checked={isTicked}
        onChange={(event) => onTick([student], event.currentTarget.checked)}
      />
    </li>
  );
});

/** `left`: students whose change was not sent or not answered, because of the `failure`. */
interface Change {
  changed: string[];
  left: string[];
  failure?: Error;
}

/**
 * Makes the same change for many students, in portions. `reached`: how many students were sent so far. If a portion fails after
 * others changed students, returns these instead of throwing, so that they can be undone.
 */
function useChangeStudents() {
  const [reached, setReached] = useState(0);
  const { mutateAsync, isPending } = useCommand({
    send: async ({ ids, ...what }: BulkChange, key): Promise<Change> => {
      const changed: string[] = [];
      for (let at = 0; at < ids.length; at += MAX_CHANGED) {
        setReached(at);
        const body = { ...what, ids: ids.slice(at, at + MAX_CHANGED) };
        // After a failure, each portion is sent again with the same key.
        try {
          const { alterados } = await write('POST /students/bulk', `${key}.${at}`, { body });
          changed.push(...alterados);
        } catch (failure) {
          if (changed.length === 0 || !(failure instanceof Error)) throw failure;
          return { changed, left: ids.slice(at), failure };
        }
      }
      return { changed, left: [] };
    },
  });
  return { change: mutateAsync, isPending, reached };
}

/** Chooses a tag for many students: a new or an existing one. */
function TagStudents({ onTag }: { onTag: (tag: string) => Promise<unknown> }) {
  const known = useTags().data?.items.map(({ etiqueta }) => etiqueta) ?? [];
  const form = useBodyForm({
    initialValues: { etiqueta: '' },
    schema: newTag,
    toBody: (values) => values,
  });
  const save = ({ etiqueta }: { etiqueta: string }) =>
    onTag(known.find((each) => searchable(each) === searchable(etiqueta)) ?? etiqueta);
  return (
    <SheetForm form={form} save={save} failure="Erro ao atualizar alunos" submit="Etiquetar">
      <TextInput
        label="Nova etiqueta"
        placeholder="Ex.: manhã, corrida, gestante"
        maxLength={30}
        {...form.getInputProps('etiqueta')}
      />
      {known.length > 0 && (
        <div className={studentPageClasses.tagChoices} role="group" aria-label="Etiquetas que você já usa">
          {known.map((tag) => (
            <Button key={tag} size="sm" variant="default" onClick={() => void onTag(tag)}>
              {tag}
            </Button>
          ))}
        </div>
      )}
    </SheetForm>
  );
}
