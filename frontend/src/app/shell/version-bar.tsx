import { startNewVersion, useNewVersion } from '../../lib/new-version.js';
import { Icon } from '../../ui/icon.js';
import classes from './shell.module.css';

/** Offers a newer version; the window changes to it only when the person says so. */
export function VersionBar() {
  const { ready } = useNewVersion();
  return (
    <div role="status">
      {ready && (
        <div className={classes.bar} data-tone="accent">
          <Icon name="renew" size={16} />
          Há uma versão nova do Rende.
          <button type="button" className={classes.barAction} onClick={startNewVersion}>
            Recarregar
          </button>
        </div>
      )}
    </div>
  );
}
