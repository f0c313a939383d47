// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Jobs} from "./Jobs.sol";

/// @notice The fields of a job, packed into few slots and returned in that order.
contract DialectE is Jobs {
    struct Job {
        address client;
        JobStatus status;
        address provider;
        uint48 expiredAt;
        address evaluator;
        address hook;
        uint256 budget;
        string description;
    }

    mapping(uint256 => Job) internal jobs;

    event JobCreated(
        uint256 indexed jobId,
        address indexed client,
        address indexed provider,
        address evaluator,
        uint256 expiredAt,
        address hook
    );
    event BudgetSet(uint256 indexed jobId, uint256 amount);
    event JobFunded(uint256 indexed jobId, address indexed client, uint256 amount);

    function createJob(
        address provider,
        address evaluator,
        uint256 expiredAt,
        string calldata description,
        address hook
    ) external {
        last++;
        jobs[last] = Job(msg.sender, JobStatus.Open, provider, uint48(expiredAt), evaluator, hook, 0, description);
        emit JobCreated(last, msg.sender, provider, evaluator, expiredAt, hook);
    }

    function setProvider(uint256 jobId, address provider) external {
        jobs[jobId].provider = provider;
    }

    function setBudget(uint256 jobId, uint256 amount, bytes calldata) external {
        jobs[jobId].budget = amount;
        emit BudgetSet(jobId, amount);
    }

    function fund(uint256 jobId, uint256 expectedBudget, bytes calldata) external {
        jobs[jobId].status = JobStatus.Funded;
        emit JobFunded(jobId, jobs[jobId].client, expectedBudget);
    }

    function submit(uint256 jobId, bytes32 deliverable, bytes calldata) external {
        jobs[jobId].status = JobStatus.Submitted;
        emit JobSubmitted(jobId, jobs[jobId].provider, deliverable);
    }

    function complete(uint256 jobId, bytes32, bytes calldata) external {
        jobs[jobId].status = JobStatus.Completed;
        emit PaymentReleased(jobId, jobs[jobId].provider, jobs[jobId].budget);
    }

    function reject(uint256 jobId, bytes32, bytes calldata) external {
        jobs[jobId].status = JobStatus.Rejected;
        emit Refunded(jobId, jobs[jobId].client, jobs[jobId].budget);
    }

    function claimRefund(uint256 jobId) external {
        jobs[jobId].status = JobStatus.Expired;
        emit Refunded(jobId, jobs[jobId].client, jobs[jobId].budget);
    }

    function getJob(uint256 jobId) external view returns (Job memory) {
        return jobs[jobId];
    }
}
