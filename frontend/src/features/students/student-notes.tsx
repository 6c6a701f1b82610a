import { ActionIcon, Button } from '@mantine/core';
import { useState } from 'react';
import {
  newStudentNote,
  type NewStudentNote,
  type StudentNote,
  type StudentNotePage,
} from '../../../../backend/modules/student-notes/student-notes.api.js';
import { formatDay, formatLongDay, type Moment } from '../../lib/dates.js';
import { useBodyForm } from '../../lib/form.js';
import { useToday } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { DateField } from '../../ui/date-field.js';
import { FormStack, SaveButton, submitting } from '../../ui/form.js';
import { Icon } from '../../ui/icon.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { LongTextField } from '../../ui/long-text-field.js';
import { Notice } from '../../ui/notice.js';
import { Section } from '../../ui/page.js';
import { Sheet, SheetActions } from '../../ui/sheet.js';
import { Skeletons } from '../../ui/states.js';
import { attempt, takenBack, toast } from '../../ui/toast.js';
import { read, write } from '../../lib/calls.js';
import { useCommand, useSend } from '../../lib/command.js';
import { usePaged } from '../../lib/paged.js';
import { reads } from '../../lib/topics.js';
import classes from './student-page.module.css';

interface StudentNotesProps {
  studentId: string;
  /** No notes can be added, for a forgotten student. */
  closed?: boolean;
  /** Shows them as they were. */
  moment?: Moment;
}

/** The trainer's notes about a student, by day; students cannot read them. */
export function StudentNotes({ studentId, closed, moment }: StudentNotesProps) {
  const [opened, setOpened] = useState<StudentNote | 'new' | null>(null);
  const close = () => setOpened(null);
  return (
    <Section
      title="Anotações"
      action={
        !closed &&
        !moment && (
          <Button size="sm" variant="subtle" onClick={() => setOpened('new')}>
            Nova anotação
          </Button>
        )
      }
    >
      <p className={classes.hint}>Só você vê as anotações. O aluno não tem acesso a elas.</p>
      <InfiniteList
        of={useStudentNotes(studentId, moment?.at)}
        manual
        failure="Erro ao carregar anotações"
        skeleton={<Skeletons count={2} height={96} />}
        empty={
          <Card>
            <Notice icon="edit" title="Nenhuma anotação ainda">
              {!moment && 'Lesões, avaliações e combinados, cada um com a sua data.'}
            </Notice>
          </Card>
        }
      >
        {(notes) => (
          <ul className={classes.notesList}>
            {notes.map((note) => (
              <li key={note.id}>
                <Note note={note} onEdit={moment ? undefined : () => setOpened(note)} />
              </li>
            ))}
          </ul>
        )}
      </InfiniteList>
      <Sheet
        opened={opened !== null}
        onClose={close}
        title={opened === 'new' ? 'Nova anotação' : 'Editar anotação'}
        beginsAtField="typed"
        withoutAddress
      >
        {opened === 'new' && <NewNote studentId={studentId} onDone={close} />}
        {opened !== null && opened !== 'new' && <EditNote note={opened} onDone={close} />}
      </Sheet>
    </Section>
  );
}

interface NoteProps {
  note: StudentNote;
  /** Without it, nothing acts. */
  onEdit: (() => void) | undefined;
}

function Note({ note, onEdit }: NoteProps) {
  const { dia, texto } = note;
  const day = formatDay(dia, useToday());
  return (
    <Card className={classes.note}>
      <div className={classes.noteHead}>
        <time dateTime={dia} title={formatLongDay(dia)}>
          {day}
        </time>
        {onEdit && <NoteActions id={note.id} day={day} onEdit={onEdit} />}
      </div>
      <p className={classes.notes}>{texto}</p>
    </Card>
  );
}

function NoteActions({ id, day, onEdit }: { id: string; day: string; onEdit: () => void }) {
  const { mutateAsync, isPending } = useNoteRemoval(id);
  const remove = () =>
    attempt(async () => {
      await mutateAsync('delete');
      toast.success(
        'Anotação excluída',
        takenBack(() => mutateAsync('restore'), 'Exclusão desfeita'),
      );
    }, 'Erro ao excluir a anotação');
  return (
    <>
      <ActionIcon aria-label={`Editar a anotação de ${day}`} onClick={onEdit}>
        <Icon name="edit" size={20} />
      </ActionIcon>
      <ActionIcon
        aria-label={`Excluir a anotação de ${day}`}
        disabled={isPending}
        onClick={() => void remove()}
      >
        <Icon name="trash" size={20} />
      </ActionIcon>
    </>
  );
}

function NewNote({ studentId, onDone }: { studentId: string; onDone: () => void }) {
  const { mutateAsync } = useWriteNote(studentId);
  const save = async (body: NewStudentNote) => {
    await mutateAsync(body);
    onDone();
    toast.success('Anotação salva');
  };
  return <NoteForm note={{ dia: useToday(), texto: '' }} draft={studentId} save={save} />;
}

function EditNote({ note: { id, dia, texto }, onDone }: { note: StudentNote; onDone: () => void }) {
  const { mutateAsync } = useChangeNote(id);
  const save = async (body: NewStudentNote) => {
    await mutateAsync(body);
    onDone();
    toast.success(
      'Anotação atualizada',
      takenBack(() => mutateAsync({ dia, texto, se_ainda: body })),
    );
  };
  return <NoteForm note={{ dia, texto }} draft={id} save={save} />;
}

interface NoteFormProps {
  note: NewStudentNote;
  /** Id for the draft: of the student for a new note, otherwise of the note. */
  draft: string;
  save: (body: NewStudentNote) => Promise<void>;
}

function NoteForm({ note, draft, save }: NoteFormProps) {
  const form = useBodyForm({
    initialValues: { ...note },
    schema: newStudentNote,
    toBody: (values) => values,
    draft: `anotacao.${draft}`,
  });
  return (
    <FormStack form={form} onSubmit={submitting(form, { save, failure: 'Erro ao salvar a anotação' })}>
      <LongTextField label="Anotação *" minRows={4} maxRows={10} {...form.getInputProps('texto')} />
      <DateField label="Data *" {...form.getInputProps('dia')} />
      <SheetActions>
        <SaveButton busy={form.submitting}>Salvar</SaveButton>
      </SheetActions>
    </FormStack>
  );
}

const NOTES = reads('student-notes', ['students']);
/** What was known at a moment: nothing that is recorded later changes it. */
const PAST = reads('past-student-notes', []);

const useStudentNotes = (studentId: string, at: string | undefined) =>
  usePaged<StudentNote, StudentNotePage>([at ? PAST : NOTES, studentId, at], (cursor, signal) =>
    read('GET /students/:id/notes', { of: [studentId], query: { cursor, limit: 20, at }, signal }),
  );

const useWriteNote = (studentId: string) => useSend('POST /students/:id/notes', studentId);

const useChangeNote = (id: string) => useSend('PATCH /student-notes/:id', id);

/** Removes or restores a note. */
const useNoteRemoval = (id: string) =>
  useCommand({
    send: (to: 'delete' | 'restore', key) =>
      to === 'delete'
        ? write('DELETE /student-notes/:id', key, { of: [id] })
        : write('POST /student-notes/:id/restore', key, { of: [id] }),
  });
