import { Button } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router-dom';
import { signOut } from '../features/accounts/sign-out.js';
import { whenReachable } from '../lib/chunks.js';
import type { Role } from '../lib/me.js';
import { Notice } from '../ui/notice.js';
import classes from './app.module.css';

const OwnData = lazy(() => whenReachable(() => import('../features/accounts/own-data.js')));

interface NoAreaProps {
  role: Role;
  /** Of the user's other role, if there is one. */
  home: string | undefined;
  /** The address is the one that the trainer who is signed in gives to the own students. */
  isOwnLink: boolean;
}

/** For a user who has no membership with the role of the address. */
export default function NoArea({ isOwnLink, ...denied }: NoAreaProps) {
  return isOwnLink ? <OwnStudentsLink /> : <AccessDenied {...denied} />;
}

function OwnStudentsLink() {
  return (
    <main>
      <Notice
        icon="people"
        title="Este link é dos seus alunos"
        wholePage
        action={
          <Button component={Link} to="/agenda">
            Abrir minha agenda
          </Button>
        }
      >
        Por ele, cada aluno com conta agenda nos seus horários livres usando os próprios créditos.
      </Notice>
    </main>
  );
}

function AccessDenied({ role, home }: Omit<NoAreaProps, 'isOwnLink'>) {
  return (
    <main>
      <Notice
        icon="shield"
        title="Acesso Negado"
        wholePage
        role="alert"
        action={
          <>
            {home && (
              <Button component={Link} to={home}>
                Ir para a minha área
              </Button>
            )}
            <Button variant="default" onClick={() => void signOut()}>
              Sair
            </Button>
          </>
        }
      >
        {role === 'personal' ? 'Esta área é do personal.' : 'Esta área é do aluno.'}
        {!home && ' Sua conta não está conectada a nenhum personal. Peça um novo convite.'}
      </Notice>
      {!home && (
        <div className={classes.ownData}>
          <Suspense>
            <OwnData />
          </Suspense>
        </div>
      )}
    </main>
  );
}
