import { ActionIcon, Button, Menu } from '@mantine/core';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Menu.layer.css';
import { useState, type ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import type { TaskLists } from '../../../../backend/modules/tasks/tasks.api.js';
import { counted, plural } from '../../../../backend/platform/plural.api.js';
import { useSend, useSendTo } from '../../lib/command.js';
import { ColourDot } from '../../ui/choice-chip.js';
import { Icon } from '../../ui/icon.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { Notice } from '../../ui/notice.js';
import { Page } from '../../ui/page.js';
import { Async, Skeletons } from '../../ui/states.js';
import { attempt, takenBack, toast } from '../../ui/toast.js';
import { DeleteListSheet, ListSheet } from './list-sheets.js';
import { placeOf, type ShownTask } from './pending-task.js';
import { DoneTasks, OpenTasks, TasksByDate } from './task-list.js';
import classes from './tasks.module.css';
import { useCompletedTasks, useOpenTasks, useTaskLists } from './tasks.queries.js';

const ALL = 'Todas as tarefas';

type ListItem = TaskLists['items'][number];

/** The agenda's view of tasks: the lists beside the tasks. The address holds the chosen list and the open sheet. */
export function TasksPage({ views }: { views: ReactNode }) {
  const [search, setSearch] = useSearchParams();
  const lists = useTaskLists();
  const [sheet, setSheet] = useState<{ kind: 'new' | 'edit' | 'delete'; id: string | null } | null>(null);
  const items = lists.data?.items ?? [];
  const chosen = items.find(({ id }) => id === search.get('lista')) ?? null;

  const address = (changes: Record<string, string | null>) => {
    const next = new URLSearchParams(search);
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) next.delete(name);
      else next.set(name, value);
    }
    return `?${next.toString()}`;
  };
  const choose = (lista: string | null) => setSearch(address({ lista }), { replace: true });
  const edited = items.find(({ id }) => id === sheet?.id) ?? null;

  return (
    <Page
      title="Agenda"
      width="wide"
      action={
        <Button component={Link} to={address({ novo: 'tarefa' })} size="sm">
          Nova tarefa
        </Button>
      }
    >
      {views}
      <Async of={lists} skeleton={<Skeletons count={5} height={56} />}>
        {(data) => (
          <div className={classes.page}>
            <nav className={classes.lists} aria-label="Listas de tarefas">
              <Link
                to={address({ lista: null })}
                replace
                className={classes.list}
                aria-current={chosen === null ? 'page' : undefined}
              >
                <Icon name="box" size={18} />
                <span className={classes.listName}>{ALL}</span>
                <span className={classes.count}>{counted(data.todas.abertas)}</span>
              </Link>
              {data.items.map((list) => (
                <Link
                  key={list.id}
                  to={address({ lista: list.id })}
                  replace
                  className={classes.list}
                  aria-current={chosen?.id === list.id ? 'page' : undefined}
                >
                  <ColourDot colour={list.cor} />
                  <span className={classes.listName}>{list.nome}</span>
                  <span className={classes.count}>{counted(list.abertas)}</span>
                </Link>
              ))}
              <button
                type="button"
                className={classes.list}
                onClick={() => setSheet({ kind: 'new', id: null })}
              >
                <Icon name="circle" size={18} />
                <span className={classes.listName}>Criar nova lista</span>
              </button>
            </nav>
            <section className={classes.content} aria-label={chosen?.nome ?? ALL}>
              <div className={classes.heading}>
                <h2>
                  {chosen && <ColourDot colour={chosen.cor} />}
                  {chosen?.nome ?? ALL}
                </h2>
                {chosen && (
                  <ListMenu
                    list={chosen}
                    items={data.items}
                    onEdit={() => setSheet({ kind: 'edit', id: chosen.id })}
                    onDelete={() => setSheet({ kind: 'delete', id: chosen.id })}
                  />
                )}
              </div>
              <TasksOf
                key={chosen?.id ?? ALL}
                list={chosen}
                counts={chosen ?? data.todas}
                onOpen={(id) => setSearch(address({ tarefa: id }), { preventScrollReset: true })}
                create={
                  <Button component={Link} to={address({ novo: 'tarefa' })} variant="light">
                    Nova tarefa
                  </Button>
                }
              />
            </section>
          </div>
        )}
      </Async>
      <ListSheet
        opened={sheet?.kind === 'new' || (sheet?.kind === 'edit' && edited !== null)}
        list={sheet?.kind === 'edit' ? edited : null}
        onClose={() => setSheet(null)}
        onCreated={choose}
      />
      <DeleteListSheet
        list={sheet?.kind === 'delete' ? edited : null}
        others={items.filter(({ id }) => id !== sheet?.id)}
        onClose={() => setSheet(null)}
      />
    </Page>
  );
}

interface ListMenuProps {
  list: ListItem;
  items: readonly ListItem[];
  onEdit: () => void;
  onDelete: () => void;
}

function ListMenu({ list, items, onEdit, onDelete }: ListMenuProps) {
  const move = useSendTo('POST /task-lists/:id/move');
  const index = items.findIndex(({ id }) => id === list.id);
  const [before, after] = [items[index - 1], items[index + 1]];
  const put = (place: { antes_de: string } | { depois_de: string }) =>
    attempt(async () => {
      await move.mutateAsync({ id: list.id, ...place });
      const former = placeOf(items, list.id);
      toast.success('Ordem alterada', {
        description: list.nome,
        ...takenBack(async () => former && (await move.mutateAsync({ id: list.id, ...former }))),
      });
    }, 'Erro ao atualizar lista');
  return (
    <Menu position="bottom-end" radius="md" shadow="md">
      <Menu.Target>
        <ActionIcon aria-label={`Mais ações da lista ${list.nome}`}>
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Icon name="edit" size={18} />} onClick={onEdit}>
          Editar lista
        </Menu.Item>
        <Menu.Item
          leftSection={<Icon name="up" size={18} />}
          disabled={!before}
          onClick={() => before && void put({ antes_de: before.id })}
        >
          Mover para cima
        </Menu.Item>
        <Menu.Item
          leftSection={<Icon name="drop" size={18} />}
          disabled={!after}
          onClick={() => after && void put({ depois_de: after.id })}
        >
          Mover para baixo
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="trash" size={18} />} onClick={onDelete}>
          Excluir lista
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

interface TasksOfProps {
  /** Null for all tasks. */
  list: ListItem | null;
  counts: { abertas: number; concluidas: number };
  onOpen: (id: string) => void;
  create: ReactNode;
}

/** Open tasks, followed by completed ones. */
function TasksOf({ list, counts, onOpen, create }: TasksOfProps) {
  const open = useOpenTasks();
  const completed = useCompletedTasks(list?.id ?? null);
  const mine = (task: ShownTask) => list === null || task.list_id === list.id;
  const Open = list === null ? TasksByDate : OpenTasks;

  return (
    <Async of={open} skeleton={<Skeletons count={5} height={60} />}>
      {(known) => {
        const tasks = known.filter((task) => mine(task) && !task.concluida);
        const justDone = known.filter((task) => mine(task) && task.concluida);
        const done = Math.max(counts.concluidas, justDone.length);
        return (
          <>
            {tasks.length > 0 ? (
              <Open tasks={tasks} onOpen={onOpen} />
            ) : (
              <Notice icon="check" title="Nenhuma tarefa nesta lista" action={create} />
            )}
            {done > 0 && (
              <section className={classes.done} aria-label={`Concluída (${done})`}>
                <div className={classes.heading}>
                  <h3>Concluída ({done})</h3>
                  <DeleteCompleted listId={list?.id ?? null} />
                </div>
                <InfiniteList
                  of={completed}
                  manual
                  skeleton={<Skeletons count={2} height={60} />}
                  empty={null}
                >
                  {(items) => (
                    <DoneTasks
                      tasks={[
                        ...justDone,
                        ...items.filter(({ id }) => !justDone.some((task) => task.id === id)),
                      ]}
                      withList={list === null}
                      onOpen={onOpen}
                    />
                  )}
                </InfiniteList>
              </section>
            )}
          </>
        );
      }}
    </Async>
  );
}

/** Deletes all completed tasks of the list. */
function DeleteCompleted({ listId }: { listId: string | null }) {
  const removal = useSend('POST /tasks/delete-completed');
  const restoration = useSend('POST /tasks/restore');
  const remove = () =>
    attempt(async () => {
      const { ids } = await removal.mutateAsync(listId === null ? {} : { list_id: listId });
      toast.success(
        plural(ids.length, 'tarefa excluída', 'tarefas excluídas'),
        takenBack(() => restoration.mutateAsync({ ids }), 'Exclusão desfeita'),
      );
    }, 'Erro ao excluir tarefas');
  return (
    <Button
      size="sm"
      variant="subtle"
      color="gray"
      loading={removal.isPending}
      onClick={() => void remove()}
      leftSection={<Icon name="trash" size={18} />}
    >
      Excluir concluídas
    </Button>
  );
}
