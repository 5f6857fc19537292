/** In place of the file of a part that is only configured by variables, as in a container. */
export const noFile = "/dev/null";
