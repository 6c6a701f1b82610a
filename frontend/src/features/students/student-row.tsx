import { ActionIcon, Menu, VisuallyHidden } from '@mantine/core';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Menu.layer.css';
import { lazy, memo, type ReactNode, startTransition, Suspense, useState } from 'react';
import { Link } from 'react-router-dom';
import { counted, wordFor } from '../../../../backend/platform/plural.api.js';
import { LOW_BALANCE } from '../../../../backend/modules/students/students.api.js';
import type { ListedStudent, StudentOrder } from '../../../../backend/modules/students/students.api.js';
import { dayOf, formatDate, formatDay, formatMoment, todayIn } from '../../lib/dates.js';
import { whenReachable } from '../../lib/chunks.js';
import { formatMoney } from '../../lib/money.js';
import { useSwipe } from '../../lib/use-swipe.js';
import { useZone } from '../../lib/zone.js';
import { Icon } from '../../ui/icon.js';
import { Initials } from '../../ui/initials.js';
import type { RowPlace } from '../../ui/long-list.js';
import { PendingMark } from '../../ui/pending-mark.js';
import { Tag } from '../../ui/tag.js';
import { toneOfCredits } from '../../parts/credit-tag.js';
import type { MaybePending } from '../../lib/pending-over-server.js';
import classes from './student-row.module.css';
import { StudentMenuItems } from './student-menu-items.js';

const RestoreSheet = lazy(() => whenReachable(() => import('./restore-sheet.js')));

/** The fact that the list shows beside the balance, depending on its order. */
export type ShownFact = 'proxima' | 'ultima' | 'divida';

export const factOf: Record<StudentOrder, ShownFact> = {
  nome: 'proxima',
  saldo: 'proxima',
  ultima: 'ultima',
  divida: 'divida',
};

/** Parts of a student's row from other features: the renew button, its menu entry, and unsent credits. */
export interface StudentParts {
  renew: (student: ListedStudent) => ReactNode;
  renewItem: (student: ListedStudent) => ReactNode;
  pending: (studentId: string) => ReactNode;
}

interface StudentRowProps extends StudentParts, RowPlace {
  student: ListedStudent & MaybePending;
  fact: ShownFact;
}

export const StudentRow = memo(function StudentRow({
  student,
  fact,
  renew,
  renewItem,
  pending,
  ...place
}: StudentRowProps) {
  const [menu, setMenu] = useState(false);
  const swipe = useSwipe((direction) => direction === 1 && setMenu(true));
  const isLow = !student.arquivado && student.creditos <= LOW_BALANCE;
  return (
    <li className={classes.row} {...place} {...(!student.esquecido && swipe)}>
      <Initials id={student.id} name={student.nome} />
      <div className={classes.text}>
        <Link className={classes.name} to={`/alunos/${student.id}`}>
          {student.nome}
        </Link>
        <div className={classes.facts}>
          {student.esquecido ? 'Sem dados pessoais' : <Facts student={student} fact={fact} />}
        </div>
        <div className={classes.waiting}>
          {pending(student.id)}
          {student.pendente && <PendingMark />}
        </div>
      </div>
      <span className={classes.balance}>
        <Tag tone={toneOfCredits(student.creditos)} {...(isLow && { icon: 'alert' })}>
          {counted(student.creditos)}
          <span className={classes.unit}> {wordFor(student.creditos, 'crédito', 'créditos')}</span>
        </Tag>
      </span>
      {isLow && <VisuallyHidden>Saldo baixo - Sugerir renovação do plano</VisuallyHidden>}
      {!student.esquecido && (
        <span className={classes.actions}>
          <span className={classes.renew}>{isLow && canRenew(student) && renew(student)}</span>
          <RowMenu student={student} renewItem={renewItem} opened={menu} setOpened={setMenu} />
        </span>
      )}
    </li>
  );
});

const canRenew = ({ plano, arquivado }: ListedStudent) => plano !== null && plano.creditos > 0 && !arquivado;

function Facts({ student, fact }: Pick<StudentRowProps, 'student' | 'fact'>) {
  const zone = useZone();
  const { proxima, ultima, divida, plano, pausado_ate, presenca } = student;
  const words = {
    proxima: proxima ? formatMoment(proxima, zone) : 'nada agendado',
    ultima: presenca?.ultimas ? (
      `${presenca.ultimas} em 4 semanas, antes ${presenca.anteriores}`
    ) : ultima ? (
      <>
        última <span className={classes.spare}>sessão </span>
        {formatDay(dayOf(ultima, zone), todayIn(zone))}
      </>
    ) : (
      'nenhuma sessão ainda'
    ),
    divida: divida > 0 ? `deve ${formatMoney(divida)}` : 'nada vencido',
  };
  const pausado = pausado_ate && `pausado até ${formatDate(pausado_ate).slice(0, 5)}`;
  return (
    <>
      <span className={classes.plan}>{plano?.nome ?? 'Sem plano'}</span>
      <span className={classes.fact}>{pausado && fact === 'proxima' ? pausado : words[fact]}</span>
    </>
  );
}

interface RowMenuProps extends Pick<StudentRowProps, 'student' | 'renewItem'> {
  opened: boolean;
  setOpened: (opened: boolean) => void;
}

function RowMenu({ student, renewItem, opened, setOpened }: RowMenuProps) {
  const [isRestoring, setRestoring] = useState(false);
  return (
    <>
      <Menu
        position="bottom-end"
        radius="md"
        shadow="md"
        middlewares={{ flip: true, shift: true, size: { padding: 8 } }}
        opened={opened}
        // A transition, so that the button reacts to the tap before the menu is drawn.
        onChange={(next) => startTransition(() => setOpened(next))}
      >
        <Menu.Target>
          <ActionIcon data-square aria-label={`Mais ações de ${student.nome}`}>
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown className={classes.menu}>
          {opened && (
            <StudentMenuItems
              student={student}
              renewItem={canRenew(student) && renewItem(student)}
              onRestore={() => setRestoring(true)}
            />
          )}
        </Menu.Dropdown>
      </Menu>
      {isRestoring && (
        <Suspense>
          <RestoreSheet student={student} onClose={() => setRestoring(false)} />
        </Suspense>
      )}
    </>
  );
}
