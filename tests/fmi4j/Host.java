// A host around FMI4j, the FMU library for the Java virtual machine: steps an FMU of FMI 2.0 from 0
// to the stop time and prints the last values of the variables that are named.
//
//     java -cp … Host FMU STOP STEP NAME...
import java.io.File;
import java.util.ArrayList;
import java.util.List;

import no.ntnu.ihb.fmi4j.Fmi4jVariableUtils;
import no.ntnu.ihb.fmi4j.SlaveInstance;
import no.ntnu.ihb.fmi4j.importer.AbstractFmu;

public final class Host {
    public static void main(String[] words) throws Exception {
        final double stop = Double.parseDouble(words[1]), step = Double.parseDouble(words[2]);
        try (AbstractFmu fmu = AbstractFmu.Companion.from(new File(words[0]))) {
            final SlaveInstance robot = fmu.asCoSimulationFmu().newInstance();
            if (!robot.simpleSetup()) throw new IllegalStateException("it cannot be initialised");
            final long steps = Math.round(stop / step);
            for (long i = 0; i < steps; i++)
                if (!robot.doStep(i * step, step))
                    throw new IllegalStateException("step " + i + " failed");
            final List<String> values = new ArrayList<>();
            for (int i = 3; i < words.length; i++)
                values.add(Double.toString(Fmi4jVariableUtils.readReal(robot, words[i]).getValue()));
            System.out.println("values " + values);
            robot.terminate();
        }
    }
}
