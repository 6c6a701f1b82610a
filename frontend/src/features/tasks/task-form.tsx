import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import {
  newTask,
  taskChanges,
  type NewTask,
  type TaskChanges,
} from '../../../../backend/modules/tasks/tasks.api.js';
import { formatDate, parseDate, parseTime, type Day } from '../../lib/dates.js';
import { useBodyForm, type BodyForm } from '../../lib/form.js';
import { DAY_FORM, TIME_FORM } from '../../lib/messages.js';
import { queuedNote, unmake, WILL_BE_SENT, withdraw } from '../../lib/pending.js';
import { DateField } from '../../ui/date-field.js';
import { LongTextField } from '../../ui/long-text-field.js';
import { SheetForm } from '../../ui/sheet.js';
import { TimeField } from '../../ui/time-field.js';
import { takenBack, toast } from '../../ui/toast.js';
import { formerOf, NEW_TASK_DRAFT, type ShownTask, taskDraft } from './pending-task.js';
import { repetitions } from './task-facts.js';
import classes from './tasks.module.css';
import {
  type ListShown,
  useChangeTask,
  useCreateTask,
  useDeleteTask,
  useTaskLists,
} from './tasks.queries.js';

/** As high as a thumb. */
const option = { body: classes.option, label: classes.optionLabel };

/** Values of the form's fields. */
interface TaskValues extends Record<string, unknown> {
  titulo: string;
  descricao: string;
  data_vencimento: string;
  dia_inteiro: boolean;
  hora: string;
  repeticao: string;
  list_id: string;
}

const hasDay = ({ data_vencimento }: TaskValues) => data_vencimento.trim() !== '';

function bodyOf(values: TaskValues) {
  const { titulo, descricao, dia_inteiro, hora, repeticao, list_id } = values;
  return {
    titulo,
    descricao: descricao || null,
    data_vencimento: hasDay(values) ? parseDate(values.data_vencimento) : null,
    hora: hasDay(values) && !dia_inteiro ? parseTime(hora) : null,
    repeticao,
    list_id: list_id || null,
  };
}

function errorsOf(values: TaskValues) {
  const { data_vencimento, dia_inteiro, hora, repeticao } = values;
  const date = hasDay(values)
    ? parseDate(data_vencimento) === null && DAY_FORM
    : repeticao !== 'nao_se_repete'
      ? 'Informe a data para repetir a tarefa'
      : !dia_inteiro && 'Informe a data para marcar a hora';
  const time = !dia_inteiro && parseTime(hora) === null && TIME_FORM;
  return { ...(date && { data_vencimento: date }), ...(time && { hora: time }) };
}

/** The name and colour of a list, by its id. */
function useShownList() {
  const { data } = useTaskLists();
  return (id: string | null | undefined): ListShown => {
    const list = data?.items.find((each) => each.id === id);
    return { list_nome: list?.nome ?? null, list_cor: list?.cor ?? null };
  };
}

interface NewTaskFormProps {
  day: Day | null;
  listId: string | null;
  onDone: () => void;
}

export function NewTaskForm({ day, listId, onDone }: NewTaskFormProps) {
  const create = useCreateTask();
  const removal = useDeleteTask();
  const shownList = useShownList();
  const form = useBodyForm({
    initialValues: {
      titulo: '',
      descricao: '',
      data_vencimento: day ? formatDate(day) : '',
      dia_inteiro: true,
      hora: '',
      repeticao: 'nao_se_repete',
      list_id: listId ?? '',
    },
    schema: newTask,
    toBody: bodyOf,
    check: errorsOf,
    draft: NEW_TASK_DRAFT,
  });

  const save = async (body: NewTask) => {
    const { id, queued } = await create.mutateAsync({ body, shows: shownList(body.list_id) });
    onDone();
    const undo = async () => {
      if (queued && (await unmake(id)).length > 0) return;
      await removal.mutateAsync({ id, titulo: body.titulo });
    };
    toast.success('Tarefa criada com sucesso!', {
      description: queued ? WILL_BE_SENT : body.titulo,
      ...takenBack(undo, 'Criação desfeita'),
    });
  };

  return (
    <SheetForm form={form} save={save} failure="Erro ao criar tarefa" submit="Criar tarefa">
      <TaskFields form={form} />
    </SheetForm>
  );
}

export function EditTaskForm({ task, onDone }: { task: ShownTask; onDone: () => void }) {
  const change = useChangeTask();
  const shownList = useShownList();
  const { id, titulo, data_vencimento, hora } = task;
  const form = useBodyForm({
    initialValues: {
      titulo,
      descricao: task.descricao ?? '',
      repeticao: task.repeticao,
      list_id: task.list_id ?? '',
      data_vencimento: data_vencimento === null ? '' : formatDate(data_vencimento),
      dia_inteiro: hora === null,
      hora: hora ?? '',
    },
    schema: taskChanges,
    toBody: bodyOf,
    check: errorsOf,
    draft: taskDraft(id),
    onlyChanges: true,
  });

  const save = async (body: TaskChanges) => {
    if (Object.keys(body).length > 0) {
      const answer = await change.mutateAsync({ id, titulo, body, shows: shownList(body.list_id) });
      const former = formerOf(task, body);
      const undo = async () => {
        const isUnsent = 'queued' in answer && (await withdraw(id));
        if (!isUnsent)
          await change.mutateAsync({ id, titulo, body: former, shows: shownList(former.list_id) });
      };
      toast.success('Tarefa atualizada com sucesso!', {
        description: queuedNote(answer),
        ...takenBack(undo),
      });
    }
    onDone();
  };

  return (
    <SheetForm form={form} save={save} failure="Erro ao atualizar tarefa" submit="Salvar" onBack={onDone}>
      <TaskFields form={form} />
    </SheetForm>
  );
}

function TaskFields<Body>({ form }: { form: BodyForm<TaskValues, Body> }) {
  const { data: lists } = useTaskLists();
  return (
    <>
      <TextInput label="Título" maxLength={200} autoComplete="off" {...form.getInputProps('titulo')} />
      <LongTextField label="Descrição" {...form.getInputProps('descricao')} />
      <DateField label="Data" {...form.getInputProps('data_vencimento')} />
      <Checkbox
        classNames={option}
        label="Dia inteiro"
        {...form.getInputProps('dia_inteiro', { type: 'checkbox' })}
      />
      {!form.values.dia_inteiro && <TimeField label="Hora" {...form.getInputProps('hora')} />}
      <NativeSelect
        label="Repetir"
        data={Object.entries(repetitions).map(([value, label]) => ({ value, label }))}
        {...form.getInputProps('repeticao')}
      />
      <NativeSelect
        label="Lista"
        data={[
          { value: '', label: 'Sem lista' },
          ...(lists?.items ?? []).map(({ id, nome }) => ({ value: id, label: nome })),
        ]}
        {...form.getInputProps('list_id')}
      />
    </>
  );
}
