const SETTING_ID = /^setting:([0-9a-f]{12})$/;

/**
 * Formats the name of an administrator for people. A key in the setting ADMIN_KEYS has no name, and
 * its id says "setting:" and a part of its hash: a reader cannot know that this is somebody.
 */
export const formatAdministrator = (name: string): string =>
  name.replace(SETTING_ID, 'administrator $1');
