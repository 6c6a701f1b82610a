import { Button, NativeSelect, Radio, TextInput } from '@mantine/core';
import '@mantine/core/styles/Radio.layer.css';
import { useState } from 'react';
import {
  newTaskList,
  type NewTaskList,
  type TaskLists,
} from '../../../../backend/modules/tasks/tasks.api.js';
import { type Colour, colourNames } from '../../../../backend/platform/colours.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { useSend, useSendTo } from '../../lib/command.js';
import { useBodyForm } from '../../lib/form.js';
import { ColourDot } from '../../ui/choice-chip.js';
import { Sheet, SheetActions, SheetForm } from '../../ui/sheet.js';
import { attempt, takenBack, toast } from '../../ui/toast.js';
import classes from './tasks.module.css';

type ListItem = TaskLists['items'][number];

/** As high as a thumb. */
const option = { body: classes.option, label: classes.optionLabel };

interface ListSheetProps {
  opened: boolean;
  /** The list to edit; null for a new one. */
  list: ListItem | null;
  onClose: () => void;
  onCreated: (id: string) => void;
}

export function ListSheet({ opened, list, onClose, onCreated }: ListSheetProps) {
  return (
    <Sheet
      opened={opened}
      onClose={onClose}
      title={list ? 'Editar lista' : 'Criar nova lista'}
      beginsAtField="typed"
      withoutAddress
    >
      {opened && <ListForm list={list} onDone={onClose} onCreated={onCreated} />}
    </Sheet>
  );
}

function ListForm({
  list,
  onDone,
  onCreated,
}: Pick<ListSheetProps, 'list' | 'onCreated'> & { onDone: () => void }) {
  const create = useSend('POST /task-lists');
  const change = useSend('PATCH /task-lists/:id', list?.id ?? '');
  const deletion = useSendTo('POST /task-lists/:id/delete');
  const form = useBodyForm({
    initialValues: { nome: list?.nome ?? '', cor: list?.cor ?? 'azul' },
    schema: newTaskList,
    toBody: (values) => values,
    draft: `lista.${list?.id ?? 'nova'}`,
  });

  const save = async (body: NewTaskList) => {
    if (list) {
      await change.mutateAsync(body);
      onDone();
      const changedOf = ({ nome, cor }: NewTaskList) => ({
        ...(body.nome !== list.nome && { nome }),
        ...(body.cor !== list.cor && { cor }),
      });
      const undo = () => change.mutateAsync({ ...changedOf(list), se_ainda: changedOf(body) });
      toast.success('Lista atualizada com sucesso!', takenBack(undo));
      return;
    }
    const { id } = await create.mutateAsync(body);
    onDone();
    onCreated(id);
    toast.success(
      'Lista criada com sucesso!',
      takenBack(() => deletion.mutateAsync({ id, tarefas: 'mover', para: null }), 'Criação desfeita'),
    );
  };

  return (
    <SheetForm
      form={form}
      save={save}
      failure={list ? 'Erro ao atualizar lista' : 'Erro ao criar lista'}
      submit={list ? 'Salvar' : 'Criar lista'}
    >
      <TextInput label="Nome da lista" maxLength={60} autoComplete="off" {...form.getInputProps('nome')} />
      <Radio.Group label="Cor" {...form.getInputProps('cor')}>
        <div className={classes.colours}>
          {(Object.keys(colourNames) as Colour[]).map((colour) => (
            <Radio
              key={colour}
              classNames={option}
              value={colour}
              label={
                <>
                  <ColourDot colour={colour} /> {colourNames[colour]}
                </>
              }
            />
          ))}
        </div>
      </Radio.Group>
    </SheetForm>
  );
}

interface DeleteListSheetProps {
  /** The sheet is open while this is set. */
  list: ListItem | null;
  others: readonly ListItem[];
  onClose: () => void;
}

export function DeleteListSheet({ list, others, onClose }: DeleteListSheetProps) {
  return (
    <Sheet opened={list !== null} onClose={onClose} title="Excluir lista" withoutAddress>
      {list && <DeleteForm key={list.id} list={list} others={others} onDone={onClose} />}
    </Sheet>
  );
}

/** Asks what to do with the list's tasks: move them to another list, or delete them too. */
function DeleteForm({
  list,
  others,
  onDone,
}: {
  list: ListItem;
  others: readonly ListItem[];
  onDone: () => void;
}) {
  const [tasks, setTasks] = useState<'mover' | 'excluir'>('mover');
  const [to, setTo] = useState('');
  const removal = useSendTo('POST /task-lists/:id/delete');
  const restoration = useSendTo('POST /task-lists/:id/restore');
  const { id, nome, abertas, concluidas } = list;
  const count = abertas + concluidas;
  const counted = plural(count, 'tarefa', 'tarefas');

  const remove = async () => {
    const deletion =
      tasks === 'excluir' ? { tarefas: 'excluir' as const } : { tarefas: 'mover' as const, para: to || null };
    const done = await attempt(() => removal.mutateAsync({ id, ...deletion }), 'Erro ao excluir lista');
    if (!done) return;
    onDone();
    toast.success('Lista excluída', {
      description: nome,
      ...takenBack(() => restoration.mutateAsync(id), 'Exclusão desfeita'),
    });
  };

  return (
    <div className={classes.detail}>
      <p className={classes.name}>{nome}</p>
      {count > 0 && (
        <>
          <Radio.Group
            label={`O que fazer com ${counted}?`}
            value={tasks}
            onChange={(value) => setTasks(value)}
          >
            <div className={classes.choices}>
              <Radio classNames={option} value="mover" label="Mover para outra lista" />
              <Radio classNames={option} value="excluir" label={`Excluir ${counted} com a lista`} />
            </div>
          </Radio.Group>
          {tasks === 'mover' && (
            <NativeSelect
              label="Mover para"
              value={to}
              onChange={({ currentTarget }) => setTo(currentTarget.value)}
              data={[
                { value: '', label: 'Sem lista' },
                ...others.map((other) => ({ value: other.id, label: other.nome })),
              ]}
            />
          )}
        </>
      )}
      <SheetActions onBack={onDone}>
        <Button color="red" loading={removal.isPending} onClick={() => void remove()}>
          Excluir lista
        </Button>
      </SheetActions>
    </div>
  );
}
