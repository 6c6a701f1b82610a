import { useClickOutside } from '@mantine/hooks';
import { useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { Icon, type IconName } from '../../ui/icon.js';
import classes from './quick-actions.module.css';

const actions: readonly { label: string; to: string; icon: IconName }[] = [
  { label: 'Local', to: '/locais/novo', icon: 'pin' },
  { label: 'Lançamento', to: '/financeiro?novo=lancamento', icon: 'wallet' },
  { label: 'Plano', to: '/planos/novo', icon: 'box' },
  { label: 'Aluno', to: '/alunos/novo', icon: 'people' },
  { label: 'Agendamento', to: '/agenda?novo=agendamento', icon: 'calendar' },
];

/** The one button to start anything: its menu opens above it, with the most frequent entry nearest to the thumb. */
export function QuickActions() {
  const { pathname } = useLocation();
  const [openedOn, setOpenedOn] = useState<string | null>(null);
  const opened = openedOn === pathname;
  const close = () => setOpenedOn(null);
  const outside = useClickOutside(close);

  return (
    <div
      ref={outside}
      className={classes.quick}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
      }}
    >
      {opened && <div className={classes.scrim} onClick={close} />}
      {opened && (
        <nav id="acoes-rapidas" className={classes.menu} aria-label="Ações rápidas">
          {actions.map(({ label, to, icon }) => (
            <Link key={label} to={to} className={classes.action} onClick={close}>
              {label}
              <span className={classes.actionIcon}>
                <Icon name={icon} />
              </span>
            </Link>
          ))}
        </nav>
      )}
      <button
        type="button"
        className={classes.button}
        data-opened={opened || undefined}
        aria-label={opened ? 'Fechar ações rápidas' : 'Ações rápidas'}
        aria-expanded={opened}
        aria-controls="acoes-rapidas"
        onClick={() => setOpenedOn(opened ? null : pathname)}
      >
        <Icon name="plus" size={26} />
      </button>
    </div>
  );
}
