import { Button, Checkbox } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import { useState } from 'react';
import {
  type BulkChange,
  type ListedStudent,
  MAX_CHANGED,
} from '../../../../backend/modules/students/students.api.js';
import { plural, wordFor } from '../../../../backend/platform/plural.api.js';
import { Card } from '../../ui/card.js';
import { Icon } from '../../ui/icon.js';
import { Sheet } from '../../ui/sheet.js';
import { attempt, toast } from '../../ui/toast.js';
import { creditsInWords } from './credit-tag.js';
import { MessageStudents } from './message-students.js';
import classes from './select-students.module.css';
import { TagStudents } from './tag-students.js';
import { useChangeStudents } from './students.queries.js';

interface SelectStudentsProps {
  /** Those who are listed and are still known. */
  students: readonly ListedStudent[];
  archived: boolean;
  onDone: () => void;
}

const inverse: Record<BulkChange['acao'], BulkChange['acao']> = {
  ...{ inativar: 'reativar', reativar: 'inativar' },
  ...{ etiquetar: 'remover_etiqueta', remover_etiqueta: 'etiquetar' },
};

/** The listed students to choose from, and what can be done with all who are chosen. */
export default function SelectStudents({ students, archived, onDone }: SelectStudentsProps) {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [sheet, setSheet] = useState<'mensagem' | 'etiqueta' | null>(null);
  const { mutateAsync, isPending } = useChangeStudents();
  const chosen = students.filter(({ id }) => ticked.has(id));
  const areAll = students.length > 0 && chosen.length === Math.min(students.length, MAX_CHANGED);
  const tick = (ids: readonly string[], isTicked: boolean) => {
    const next = new Set(ticked);
    for (const id of ids) {
      if (isTicked && next.size < MAX_CHANGED) next.add(id);
      if (!isTicked) next.delete(id);
    }
    setTicked(next);
  };

  /** Does the same with all who are chosen; taking it back concerns those alone who changed by it. */
  const change = (what: Pick<BulkChange, 'acao' | 'etiqueta'>, done: (count: number) => string) =>
    attempt(async () => {
      const { alterados } = await mutateAsync({ ...what, ids: chosen.map(({ id }) => id) });
      onDone();
      if (alterados.length === 0) {
        toast.info('Nenhum aluno mudou', { description: 'Todos já estavam assim.' });
        return;
      }
      toast.success(done(alterados.length), {
        undo: () =>
          attempt(
            () => mutateAsync({ ...what, acao: inverse[what.acao], ids: alterados }),
            'Erro ao desfazer',
          ),
        undone: 'Alteração desfeita',
      });
    }, 'Erro ao atualizar alunos');

  const move = archived ? 'reativar' : 'inativar';
  const moved = archived
    ? ['aluno reativado', 'alunos reativados']
    : ['aluno inativado', 'alunos inativados'];
  const nobody = chosen.length === 0;
  return (
    <>
      <Card flush>
        <div className={classes.line}>
          <Checkbox
            label={
              areAll ? 'Desmarcar todos' : `Marcar todos da lista (${Math.min(students.length, MAX_CHANGED)})`
            }
            checked={areAll}
            indeterminate={!areAll && chosen.length > 0}
            onChange={() =>
              tick(
                students.map(({ id }) => id),
                !areAll,
              )
            }
          />
        </div>
        {students.map((student) => (
          <div key={student.id} className={classes.line}>
            <Checkbox
              label={student.nome}
              description={`${student.plano?.nome ?? 'Sem plano'} · ${creditsInWords(student.creditos)}`}
              checked={ticked.has(student.id)}
              onChange={(event) => tick([student.id], event.currentTarget.checked)}
            />
          </div>
        ))}
      </Card>
      <div className={classes.footer} role="group" aria-label="Com os alunos marcados">
        <span className={classes.count} role="status">
          {plural(chosen.length, 'marcado', 'marcados')}
        </span>
        <Button
          size="sm"
          variant="default"
          disabled={nobody}
          onClick={() => setSheet('mensagem')}
          leftSection={<Icon name="chat" size={18} />}
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
          onClick={() =>
            void change({ acao: move }, (count) => `${count} ${wordFor(count, moved[0]!, moved[1]!)}`)
          }
        >
          {archived ? 'Reativar' : 'Inativar'}
        </Button>
      </div>
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
