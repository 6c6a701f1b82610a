import { Navigate } from 'react-router-dom';

/** The address of editing "the" policy: each location has its own, so the one is opened where there is one. */
export default function EditPolicy() {
  return <Navigate to="/ajustes/politicas?editar=" replace />;
}
